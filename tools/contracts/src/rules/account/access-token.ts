import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { Breach, expectSame, expectThat, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { expectStatus } from './account-words.ts';

/** 6 hours (contract 8). */
const LONGEST_SECONDS = 21_600;

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

export const accessToken: Rule<Subject>[] = [
  {
    name: 'access-token-is-signed-by-a-published-key',
    source: 'decisions 3, Signing',
    async hold(subject) {
      const { header, claims, signed, signature } = partsOf(subject);
      expectSame({ alg: header.alg, typ: header.typ }, { alg: 'ES256', typ: 'at+jwt' }, "the token's header");
      const { keys } = expectStatus<{ keys: (JsonWebKey & { kid: string })[] }>(
        await subject.get('/.well-known/jwks.json'),
        200,
      );
      const jwk = keys.find(({ kid }) => kid === header.kid);
      expectThat(jwk !== undefined, `no published key is named ${header.kid}`);
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      expectThat(
        verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature),
        'the signature is not of that key',
      );
      expectThat(claims.exp - claims.iat <= LONGEST_SECONDS, `it lives ${claims.exp - claims.iat} s`);
      return `ES256 by ${header.kid}, lives ${claims.exp - claims.iat} s`;
    },
  },
  {
    name: 'access-token-carries-its-claims',
    source: 'decisions 2, Access; 3, Signing',
    hold(subject) {
      const { claims, token } = partsOf(subject);
      const due = ['access', 'aud', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'];
      const missing = due.filter((name) => !(name in claims));
      expectThat(missing.length === 0, `the token lacks ${missing.join(', ')}`);
      for (const { customer_id, workspace_ids } of claims.access) {
        expectThat(
          Number.isInteger(customer_id) &&
            (workspace_ids === 'all' ||
              (Array.isArray(workspace_ids) && workspace_ids.every(Number.isInteger))),
          `access is ${JSON.stringify(claims.access)}`,
        );
      }
      expectThat(token.length < 4096, `it has ${token.length} characters: too long for a cookie`);
      return Promise.resolve(`${claims.access.length} customers, ${token.length} characters`);
    },
  },
];

function partsOf(subject: Subject) {
  const token = subject.bearer().authorization.slice('Bearer '.length);
  const parts = token.split('.');
  expectThat(parts.length === 3, 'the token is no JWT');
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
    throw new Breach('the token is no JWT');
  }
}
