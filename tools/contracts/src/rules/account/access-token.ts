import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { expectSame, expectStatus, expectThat, Violation } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';

const MAX_LIFETIME_SECONDS = 6 * 60 * 60;

interface Claims {
  iss: string;
  aud: string;
  sub: string;
  sid: string;
  jti: string;
  iat: number;
  exp: number;
  access: { customer_id: number; workspace_ids: 'all' | number[] }[];
}

export const accessToken: Rule[] = [
  rule('access-token-signature', 'docs/account-service.md#access-tokens', async (target) => {
    const { header, signed, signature } = partsOf(target);
    expectSame({ alg: header.alg, typ: header.typ }, { alg: 'ES256', typ: 'at+jwt' }, "the token's header");
    const { keys } = expectStatus<{ keys: (JsonWebKey & { kid: string })[] }>(
      await target.get('/.well-known/jwks.json'),
      200,
    );
    const jwk = keys.find(({ kid }) => kid === header.kid);
    expectThat(jwk !== undefined, `no published key has the kid ${header.kid}`);
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    expectThat(
      verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature),
      'the signature does not match that key',
    );
    return `ES256 by ${header.kid}`;
  }),
  rule('access-token-claims', 'docs/account-service.md#access-tokens', async (target) => {
    const { claims, token } = partsOf(target);
    const required = ['access', 'aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'];
    const missing = required.filter((name) => !(name in claims));
    expectThat(missing.length === 0, `the token lacks ${missing.join(', ')}`);
    for (const { customer_id, workspace_ids } of claims.access) {
      expectThat(
        Number.isInteger(customer_id) &&
          (workspace_ids === 'all' ||
            (Array.isArray(workspace_ids) && workspace_ids.every(Number.isInteger))),
        `access is ${JSON.stringify(claims.access)}`,
      );
    }
    const lifetimeSeconds = claims.exp - claims.iat;
    expectThat(lifetimeSeconds <= MAX_LIFETIME_SECONDS, `the lifetime is ${lifetimeSeconds} s`);
    expectThat(token.length < 4096, `the token has ${token.length} characters, too many for a cookie`);
    return `${claims.access.length} customers, ${lifetimeSeconds} s, ${token.length} characters`;
  }),
];

/** @throws {Violation} unless the access token is a JWT */
export function partsOf(target: Target) {
  const token = target.bearer().authorization.slice('Bearer '.length);
  const parts = token.split('.');
  expectThat(parts.length === 3, 'the token is not a JWT');
  const [header = '', claims = '', signature = ''] = parts;
  return {
    token,
    signed: `${header}.${claims}`,
    header: decode(header) as { alg: string; typ: string; kid: string },
    claims: decode(claims) as Claims,
    signature: Buffer.from(signature, 'base64url'),
  };
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    throw new Violation('the token is not a JWT');
  }
}
