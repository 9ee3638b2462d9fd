import { type Logger, pino } from 'pino';
import { loggerOptions, nestLogger } from '../../src/logging/logger.ts';
import { DependencyUnavailable, DomainError, fleetErrors } from '../../src/process.ts';

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

let lines: string[];
let logger: Logger;

beforeEach(() => {
  lines = [];
  logger = pino(loggerOptions('test', 'trace'), { write: (line: string) => void lines.push(line) });
});

const lastLine = () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;

test('writes one JSON object per line with level name, time and service', () => {
  logger.info({ port: 8080 }, 'listening');
  expect(lastLine()).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    service: 'test',
    port: 8080,
    msg: 'listening',
  });
});

test.each<[string, object]>([
  ['a header', { headers: { Authorization: 'Bearer hunter2' } }],
  ['a header of a request', { req: { headers: { authorization: 'hunter2', COOKIE: 'a=hunter2' } } }],
  ['a header of a response', { res: { headers: { 'Set-Cookie': ['a=hunter2'] } } }],
  ['an API key', { headers: { 'x-api-key': 'hunter2' } }],
  ['at the top', { password: 'hunter2', client_secret: 'hunter2', refreshToken: 'hunter2' }],
  ['of a library', { strategy: { _clientSecret: 'hunter2', api__key: 'hunter2' } }],
  ['in a body', { body: { code: 'hunter2', api_key: { key: 'hunter2' } } }],
  ['deep in a body', { body: { a: [{ b: { c: { access_token: 'hunter2' } } }] } }],
  ['in a query', { query: { code: 'hunter2', state: 'hunter2' } }],
  ['in a URL', { url: '/auth/callback?code=hunter2&state=hunter2' }],
  ["in a database's URL", { url: 'postgres://fleet_api:hunter2@db:5432/fleet' }],
  [
    'in an error',
    { err: Object.assign(new Error('no'), { config: { headers: { authorization: 'hunter2' } } }) },
  ],
  ["in an error's text", { err: new Error('GET https://a.example/x?access_token=hunter2 failed') }],
  ['in a cause', { err: new Error('no', { cause: new Error('postgres://a:hunter2@b/c') }) }],
])('redacts secrets: %s', (_name, line) => {
  logger.info(line, 'line');
  expect(lines.join()).not.toContain('hunter2');
  expect(lines.join()).toContain('[redacted]');
});

test('redacts tokens inside of texts', () => {
  logger.info(`token ${TOKEN}`);
  logger.info({ anything: TOKEN, list: [`Bearer ${TOKEN}`] }, 'Bearer %s', TOKEN);
  logger.child({ trace_id: 'abc' }).error({ err: new Error(TOKEN) });
  nestLogger(logger).error(`failed with ${TOKEN}`, TOKEN);
  expect(lines).toHaveLength(4);
  expect(lines.join()).not.toContain('eyJ');
});

test('keeps the code, stack, cause and name of an error', () => {
  const error = Object.assign(new Error('refused'), { code: '23505', detail: 'Key (id)=(7) exists' });
  logger.error({ err: error, error: fleetErrors.notFound.code }, 'refused');
  expect(lastLine()).toMatchObject({
    error: 'not_found',
    err: { type: 'Error', code: '23505', detail: 'Key (id)=(7) exists', stack: expect.any(String) as string },
  });
  logger.error({ err: new DependencyUnavailable('the database', new Error('connect ECONNREFUSED')) });
  expect(lines.at(-1)).toContain('connect ECONNREFUSED');
  logger.error({ err: new DomainError(fleetErrors.notFound, 'No such alert.') });
  expect(lines.at(-1)).toContain('No such alert.');
});

test('logs values that JSON cannot represent', () => {
  const circle: Record<string, unknown> = { at: new Date(0), nothing: null };
  circle['self'] = circle;
  logger.info({ circle });
  expect(lastLine()['circle']).toMatchObject({ at: '1970-01-01T00:00:00.000Z', nothing: null });
});
