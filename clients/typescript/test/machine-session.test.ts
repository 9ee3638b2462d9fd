import { AccountError, createFleetClient, machineSession } from '../src/index.ts';
import { type ScriptedService, sendJson, startScriptedService } from './support/service.ts';

let service: ScriptedService;
/** Lifetime of the tokens that the service issues, in seconds. */
let lifetime: number;
let issued: number;
/** Number of the token that the fleet data API accepts; undefined for every one. */
let accepted: number | undefined;
let rejection: { status: number; body: object } | undefined;

beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.close());
beforeEach(() => {
  [lifetime, issued, accepted, rejection] = [900, 0, undefined, undefined];
  service.requests.length = 0;
  service.respond = ({ path, headers }, response) => {
    if (path === '/oauth/token') {
      if (rejection) return sendJson(response, rejection.status, rejection.body);
      issued += 1;
      return sendJson(response, 200, {
        access_token: `token-${issued}`,
        token_type: 'Bearer',
        expires_in: lifetime,
      });
    }
    const isAccepted = accepted === undefined || headers.authorization === `Bearer token-${accepted}`;
    return isAccepted
      ? sendJson(response, 200, { alerts: [], total_size: 0 })
      : sendJson(response, 401, { error: 'unauthorized', message: 'No.' });
  };
});

const fleet = () => {
  const session = machineSession({ accountUrl: `${service.url}/`, keyId: 12, key: 'the-key' });
  return createFleetClient({ baseUrl: service.url, session });
};
const exchanges = () => service.requests.filter(({ path }) => path === '/oauth/token');

test('exchanges the key once for concurrent and later requests', async () => {
  const client = fleet();
  await Promise.all(Array.from({ length: 5 }, () => client.get('/api/v1/alerts')));
  await client.get('/api/v1/alerts');
  expect(exchanges()).toMatchObject([
    {
      method: 'POST',
      body: 'grant_type=client_credentials',
      headers: {
        authorization: `Basic ${btoa('12:the-key')}`,
        'content-type': expect.stringMatching(/^application\/x-www-form-urlencoded/),
      },
    },
  ]);
  expect(service.requests.at(-1)?.headers.authorization).toBe('Bearer token-1');
});

test('gets a new token before one expires', async () => {
  lifetime = 0;
  const client = fleet();
  await client.get('/api/v1/alerts');
  await client.get('/api/v1/alerts');
  expect(exchanges()).toHaveLength(2);
});

test('gets a new token after a 401 and repeats the request', async () => {
  accepted = 2;
  expect(await fleet().get('/api/v1/alerts')).toEqual({ alerts: [], total_size: 0 });
  expect(exchanges()).toHaveLength(2);
});

test('throws why the key is rejected', async () => {
  rejection = {
    status: 401,
    body: { error: 'invalid_client', error_description: 'The API key is unknown.' },
  };
  const failure = await fleet()
    .get('/api/v1/alerts')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AccountError);
  expect(failure).toMatchObject({ code: 'invalid_client', status: 401, message: 'The API key is unknown.' });
});
