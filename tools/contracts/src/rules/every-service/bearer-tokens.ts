import type { HttpResponse } from '../../deployment/http-exchange.ts';
import { expectStatus, expectThat, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';

/**
 * Every route with a bearer token rejects invalid tokens. The tests of token-verification cover forgeries in full; these
 * are the kinds that a proxy or a wrong configuration could let through.
 *
 * @param expectUnauthorized throws unless the response is a 401 in the service's own error format
 */
export function invalidTokensRejected(
  source: string,
  expectUnauthorized: (response: HttpResponse, why: string) => void,
): Rule {
  return rule('invalid-tokens-rejected', source, async (target) => {
    const secured = target.operations.filter((operation) => operation.secured);
    expectThat(secured.length > 0, 'no route requires a token');
    const invalid = invalidCredentials(target.options.token);
    for (const { method, path } of secured) {
      for (const [kind, authorization] of invalid) {
        const address = path
          .replace(/\{key_id\}/, '2147483647')
          .replace(/\{[^}]+\}/, '00000000-0000-4000-8000-000000000000');
        // Sign-out is idempotent: it succeeds without a session.
        if (address.endsWith('/auth/logout')) continue;
        const response = await target.send(method, address, {
          headers: authorization === undefined ? {} : { authorization },
        });
        expectUnauthorized(response, kind);
      }
    }
    return `${secured.length} routes, ${invalid.length} kinds of invalid tokens: 401`;
  });
}

/** Query strings end up in logs and browser histories, so a token there is ignored. */
export const noTokenInQuery = rule('no-token-in-query', 'RFC 6750, section 2.3', async (target) => {
  const { authorization } = target.bearer();
  const token = authorization.slice('Bearer '.length);
  const secured = target.plainReads().find((operation) => operation.secured);
  if (!secured) throw new Skipped('no route requires a token');
  const response = await target.get(`${secured.path}?access_token=${token}`);
  expectStatus(response, 401);
  return '401';
});

function invalidCredentials(token: string | undefined): [kind: string, authorization: string | undefined][] {
  const invalid: [string, string | undefined][] = [
    ['no token', undefined],
    ['an empty token', 'Bearer '],
    ['no scheme', 'nonsense'],
    ['another scheme', 'Basic dXNlcjpwYXNzd29yZA=='],
    ['nonsense', 'Bearer nonsense'],
    ['an unsigned token', `Bearer ${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: '1' })}.`],
  ];
  if (token === undefined) return invalid;
  const [header = '', claims = '', signature = ''] = token.split('.');
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  return [
    ...invalid,
    ['the token under another scheme', `Basic ${token}`],
    ['a flipped signature', `Bearer ${header}.${claims}.${flipped}`],
    ['no signature', `Bearer ${header}.${claims}.`],
    ['algorithm none', `Bearer ${part({ alg: 'none', typ: 'at+jwt' })}.${claims}.`],
    ['the token twice', `Bearer ${token}, Bearer ${token}`],
  ];
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
