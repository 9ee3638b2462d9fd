import { randomUUID } from 'node:crypto';
import { expectSame, expectStatus } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { partsOf } from './access-token.ts';
import { API, expectError, type Schemas } from './requests.ts';

const SOURCE = 'docs/account-service.md#active-sessions';

export const sessions: Rule[] = [
  rule('listed-sessions-include-current', SOURCE, async (target) => {
    const response = await target.read(`${API}/sessions/`);
    const { sessions: listed } = expectStatus<Schemas['SessionListResponse']>(response, 200);
    const current = listed.filter((session) => session.current).map(({ id }) => id);
    expectSame(current, [partsOf(target).claims.sid], 'ids of the current session');
    return `${listed.length} sessions`;
  }),
  rule('invalid-session-ends-rejected', SOURCE, async (target) => {
    const end = (path: string, headers = {}) => target.send('DELETE', `${API}/sessions/${path}`, { headers });
    expectError(await end(''), 401, 'Unauthorized', 'no access token');
    const bearer = target.bearer();
    expectError(await end(randomUUID(), bearer), 404, 'Not Found', 'an unknown session');
    expectError(await end('one', bearer), 400, 'Invalid Request', 'a malformed id');
    return 'no token, unknown and malformed id';
  }),
];
