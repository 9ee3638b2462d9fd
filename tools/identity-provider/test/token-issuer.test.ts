import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
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

it('issues tokens that are valid for 6 hours, even if a second begins in between', async () => {
  const { Date } = globalThis;
  let nowMs = Date.now();
  class TickingDate extends Date {
    constructor() {
      super((nowMs += 1_000));
    }
    static override now = () => (nowMs += 1_000);
  }
  globalThis.Date = TickingDate as DateConstructor;
  const token = await issuer.token(access).finally(() => (globalThis.Date = Date));
  const { iat = 0, exp = 0 } = decodeJwt(token);
  expect(exp - iat).toBe(6 * 3_600);
});

it('serves an empty revocation feed', async () => {
  const response = await fetch(`${issuer.url}/internal/v1/revocations`);
  expect(await response.json()).toEqual({ as_of: expect.any(String) as string, revocations: [] });
});
