import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountError, bearerSession, cookieSession, createFleetClient, FleetError } from '../src/index.ts';

/**
 * Stands in for both services, since a real access token cannot be made to expire between two requests. The local
 * stack's tests use the client with the real services.
 */
let server: ReturnType<typeof createServer>;
let url: string;
let valid: string;
let refreshes: { accept: string | undefined; body: string }[];
let requests: { authorization: string | undefined; body: string }[];
let refreshStatus: number;
/** Whether even a valid token gets a 401. */
let rejectsAll: boolean;

beforeAll(async () => {
  server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  [valid, refreshes, requests, refreshStatus, rejectsAll] = ['second', [], [], 200, false];
});

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { authorization, accept } = request.headers;
  const send = (status: number, value: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/api/v1/auth/refresh') {
    refreshes.push({ accept, body });
    await sleep(30);
    if (refreshStatus !== 200) send(refreshStatus, { title: 'Too Many Requests', detail: 'Later.' });
    else
      send(200, { access_token: valid, refresh_token: 'refresh', token_type: 'Bearer', expires_in: 21_600 });
    return;
  }
  requests.push({ authorization, body });
  if (authorization === `Bearer ${valid}` && !rejectsAll) send(200, { alerts: [], total_size: 0 });
  else send(401, { error: 'unauthorized', message: 'No.' });
}

describe('a bearer session', () => {
  const session = (more: Partial<Parameters<typeof bearerSession>[0]> = {}) =>
    bearerSession({ accountUrl: url, tokens: { access_token: 'first', refresh_token: 'refresh' }, ...more });
  const list = (fleet: ReturnType<typeof createFleetClient>) => fleet.get('/api/v1/alerts');

  it('refreshes once and repeats the request', async () => {
    const storedTokens: string[] = [];
    const fleet = createFleetClient({
      baseUrl: url,
      session: session({ onTokens: ({ access_token }) => storedTokens.push(access_token) }),
    });
    expect(await list(fleet)).toEqual({ alerts: [], total_size: 0 });
    expect(refreshes).toEqual([{ accept: 'application/json', body: '{"refresh_token":"refresh"}' }]);
    expect(requests.map(({ authorization }) => authorization)).toEqual(['Bearer first', 'Bearer second']);
    expect(storedTokens).toEqual(['second']);
    await list(fleet);
    expect(refreshes).toHaveLength(1);
  });

  it('shares one refresh among concurrent requests', async () => {
    const fleet = createFleetClient({ baseUrl: url, session: session() });
    await Promise.all(Array.from({ length: 20 }, () => list(fleet)));
    expect(refreshes).toHaveLength(1);
    expect(requests).toHaveLength(40);
  });

  it('repeats the request with its body', async () => {
    const own = session();
    const request = new Request(`${url}/api/v1/keys`, { method: 'POST', body: '{"name":"rack 12"}' });
    expect((await own.send(request)).status).toBe(200);
    expect(requests.map(({ body }) => body)).toEqual(['{"name":"rack 12"}', '{"name":"rack 12"}']);
  });

  it('sends no third request', async () => {
    const fleet = createFleetClient({ baseUrl: url, session: session() });
    rejectsAll = true;
    await expect(list(fleet)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    expect([requests.length, refreshes.length]).toEqual([2, 1]);
  });

  it('ends when the refresh token is rejected, with the error of the request', async () => {
    let ends = 0;
    const fleet = createFleetClient({ baseUrl: url, session: session({ onEnd: () => (ends += 1) }) });
    refreshStatus = 401;
    const failures = await Promise.allSettled([list(fleet), list(fleet)]);
    for (const failure of failures)
      expect(failure).toMatchObject({ reason: expect.any(FleetError), status: 'rejected' });
    expect([refreshes.length, ends]).toEqual([1, 1]);
  });

  it('throws the error of a failed refresh and refreshes at the next request', async () => {
    const fleet = createFleetClient({ baseUrl: url, session: session() });
    refreshStatus = 429;
    await expect(list(fleet)).rejects.toMatchObject({ constructor: AccountError, code: 'Too Many Requests' });
    refreshStatus = 200;
    await expect(list(fleet)).resolves.toBeDefined();
  });

  it('ends with its access token when it has no refresh token', async () => {
    const fleet = createFleetClient({
      baseUrl: url,
      session: session({ tokens: { access_token: 'first' } }),
    });
    await expect(list(fleet)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    expect(refreshes).toEqual([]);
  });
});

describe('a cookie session', () => {
  it('sends credentials, and refreshes without JSON in Accept', async () => {
    const credentials: string[] = [];
    const session = cookieSession({
      accountUrl: url,
      fetch: (request) => {
        credentials.push(request.credentials);
        return fetch(request);
      },
    });
    const fleet = createFleetClient({ baseUrl: url, session });
    await expect(fleet.get('/api/v1/alerts')).rejects.toMatchObject({ status: 401 });
    expect(refreshes).toEqual([{ accept: '*/*', body: '' }]);
    expect(credentials).toEqual(['include', 'include', 'include']);
  });
});
