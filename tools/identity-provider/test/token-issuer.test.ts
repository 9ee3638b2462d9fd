import { createRemoteJWKSet, jwtVerify } from 'jose';
import { startTokenIssuer, type TokenIssuer } from '../src/index.ts';

const access = [{ customer_id: 1, workspace_ids: 'all' as const }];
let issuer: TokenIssuer;

beforeAll(async () => {
  issuer = await startTokenIssuer();
});

afterAll(() => issuer.stop());

it('serves the key of its tokens', async () => {
  const keys = createRemoteJWKSet(new URL(`${issuer.url}/.well-known/jwks.json`));
  const { payload, protectedHeader } = await jwtVerify(await issuer.token(access), keys, {
    issuer: issuer.url,
    audience: 'gpu-observatory',
  });
  expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
  expect(payload).toMatchObject({ sub: '1', access });
});

it('serves an empty revocation feed', async () => {
  const response = await fetch(`${issuer.url}/internal/v1/revocations`);
  expect(await response.json()).toEqual({ as_of: expect.any(String) as string, revocations: [] });
});
