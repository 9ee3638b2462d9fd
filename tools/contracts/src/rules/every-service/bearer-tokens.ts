import { jsonOf, nameOf } from '../../deployment/answer.ts';
import { expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';

/**
 * Every route that needs a token refuses all that is none. The exhaustive catalogue of forgeries is a test of the
 * verifier's; these are the kinds that a proxy or a configuration in between could let through.
 *
 * @param isRefusal whether a 401's body is the service's own
 */
export function tokensRefused(source: string, isRefusal: (body: unknown) => boolean): Rule<Subject> {
  return {
    name: 'tokens-refused',
    source,
    async hold(subject) {
      const secured = subject.operations.filter((operation) => operation.secured);
      const bad = badCredentials(subject.options.token);
      for (const { method, path } of secured) {
        for (const [kind, authorization] of bad) {
          const address = path
            .replace(/\{key_id\}/, '2147483647')
            .replace(/\{[^}]+\}/, '00000000-0000-4000-8000-000000000000');
          // Signing out is repeatable without a session, so that a second click is no error.
          if (address.endsWith('/auth/logout')) continue;
          const answer = await subject.send(method, address, {
            headers: authorization === undefined ? {} : { authorization },
          });
          expectThat(answer.status === 401, `${nameOf(answer)} with ${kind}`);
          expectThat(isRefusal(jsonOf(answer)), `${nameOf(answer)} with ${kind} says ${answer.text}`);
        }
      }
      return `${secured.length} routes, ${bad.length} kinds: 401`;
    },
  };
}

/** The token is never taken from where logs and histories keep it (RFC 6750, section 2.3). */
export const noTokenInQuery: Rule<Subject> = {
  name: 'no-token-in-query',
  source: 'RFC 6750, section 2.3',
  async hold(subject) {
    const { authorization } = subject.bearer();
    const token = authorization.slice('Bearer '.length);
    const secured = subject.plainReads().find((operation) => operation.secured);
    if (!secured) throw new NotSeen('no route needs a token');
    const answer = await subject.get(`${secured.path}?access_token=${token}`);
    expectThat(answer.status === 401, subject.withoutToken(nameOf(answer)));
    return '401';
  },
};

function badCredentials(token: string | undefined): [kind: string, authorization: string | undefined][] {
  const bad: [string, string | undefined][] = [
    ['no token', undefined],
    ['an empty token', 'Bearer '],
    ['no scheme', 'nonsense'],
    ['another scheme', 'Basic dXNlcjpwYXNzd29yZA=='],
    ['nonsense', 'Bearer nonsense'],
    ['an unsigned token', `Bearer ${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: '1' })}.`],
  ];
  if (token === undefined) return bad;
  const [header = '', claims = '', signature = ''] = token.split('.');
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  return [
    ...bad,
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
