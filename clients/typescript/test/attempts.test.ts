import {
  ConnectionError,
  createAccountClient,
  createFleetClient,
  createWebsiteClient,
  FleetError,
} from '../src/index.ts';
import { type ScriptedService, sendJson, startScriptedService } from './support/service.ts';

let service: ScriptedService;
beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service.close());

const fleet = (options: object = {}) => createFleetClient({ baseUrl: service.url, ...options });
const account = (options: object = {}) => createAccountClient({ baseUrl: service.url, ...options });
const alerts = { alerts: [], total_size: 0 };
/** Fails the first requests with a status, then succeeds. */
const failFirst = (failures: number, status: number, headers: Record<string, string> = {}) => {
  service.respond = (_request, response, n) =>
    n < failures
      ? sendJson(response, status, { error: 'x', message: 'x' }, headers)
      : sendJson(response, 200, alerts);
};
const contactRequest = { firstName: 'Ada', email: 'ada@acme.example', message: 'Hello' };
const keyRequest = { body: { name: 'rack 12', workspace_id: 1 } };

describe('retries', () => {
  it.each([429, 502, 503])('repeat a GET after a %s', async (status) => {
    failFirst(2, status);
    await expect(fleet().get('/api/v1/alerts')).resolves.toEqual(alerts);
    expect(service.requests).toHaveLength(3);
  });

  it('stop after maxAttempts and throw the last error', async () => {
    failFirst(9, 503);
    await expect(fleet({ retry: { maxAttempts: 2 } }).get('/api/v1/alerts')).rejects.toMatchObject({
      constructor: FleetError,
      status: 503,
    });
    expect(service.requests).toHaveLength(2);
  });

  it('can be turned off for a client and for a call', async () => {
    failFirst(9, 503);
    await expect(fleet({ retry: false }).get('/api/v1/alerts')).rejects.toMatchObject({ status: 503 });
    await expect(fleet().get('/api/v1/alerts', { retry: false })).rejects.toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(2);
  });

  it.each([400, 401, 404, 500])('do not repeat a GET after a %s', async (status) => {
    failFirst(9, status);
    await expect(fleet().get('/api/v1/alerts')).rejects.toMatchObject({ status });
    expect(service.requests).toHaveLength(1);
  });

  it('wait for the time in Retry-After', async () => {
    failFirst(1, 429, { 'retry-after': '1' });
    const startedAt = performance.now();
    await fleet().get('/api/v1/alerts');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);
  });

  it('stop immediately when Retry-After exceeds maxDelayMs', async () => {
    failFirst(9, 429, { 'retry-after': '60' });
    await expect(fleet().get('/api/v1/alerts')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 60 });
    expect(service.requests).toHaveLength(1);
  });

  it('repeat a GET after a broken connection and a body cut short', async () => {
    service.respond = (_request, response, n) => {
      if (n === 0) response.destroy();
      else if (n === 1) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"alerts":[');
        setImmediate(() => response.destroy());
      } else sendJson(response, 200, alerts);
    };
    await expect(fleet().get('/api/v1/alerts')).resolves.toEqual(alerts);
    expect(service.requests).toHaveLength(3);
  });

  it('repeat a POST only with an Idempotency-Key', async () => {
    failFirst(1, 503);
    const website = createWebsiteClient({ baseUrl: service.url });
    await expect(website.post('/api/contact', { body: contactRequest })).rejects.toMatchObject({
      status: 503,
    });
    failFirst(2, 503);
    const params = { header: { 'idempotency-key': 'c-1' } };
    await website.post('/api/contact', { params, body: contactRequest });
    expect(service.requests).toHaveLength(3);
    expect(service.requests[2]?.body).toBe(service.requests[1]?.body);
  });

  it.each([
    [
      'the code exchange',
      () =>
        account().post('/api/v1/auth/token', {
          body: { code: 'c', redirect_uri: 'u' },
          headers: { 'idempotency-key': 'k' },
        }),
    ],
    [
      'the creation of a key',
      () => account().post('/api/v1/keys', { ...keyRequest, headers: { 'idempotency-key': 'k' } }),
    ],
    [
      'the rotation of a key',
      () =>
        account().post('/api/v1/keys/{key_id}/rotate', {
          params: { path: { key_id: 7 } },
          headers: { 'idempotency-key': 'k' },
        }),
    ],
  ])('never repeat %s after a 503 or a broken connection, but after a 429', async (_name, send) => {
    failFirst(9, 503);
    await expect(send()).rejects.toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(1);
    service.respond = (_request, response) => void response.destroy();
    await expect(send()).rejects.toMatchObject({ code: 'unreachable' });
    expect(service.requests).toHaveLength(2);
    failFirst(3, 429);
    await send();
    expect(service.requests).toHaveLength(4);
  });
});

describe('time limits', () => {
  it('abort an attempt that gets no response', async () => {
    service.respond = () => undefined;
    const call = fleet({ timeoutMs: 1_000, retry: { maxAttempts: 2 } }).get('/api/v1/alerts');
    await expect(call).rejects.toMatchObject({ constructor: ConnectionError, code: 'timeout' });
    expect(service.requests).toHaveLength(2);
  });

  it('do not change the error of an abort by the caller', async () => {
    service.respond = () => controller.abort(new Error('navigated away'));
    const controller = new AbortController();
    await expect(fleet().get('/api/v1/alerts', { signal: controller.signal })).rejects.toThrow(
      'navigated away',
    );
    expect(service.requests).toHaveLength(1);
  });
});

it('reports an unreachable service with its URL', async () => {
  await service.close();
  const call = fleet({ retry: false }).get('/api/v1/alerts');
  await expect(call).rejects.toThrow(`GET ${service.url}/api/v1/alerts: no complete response`);
  service = await startScriptedService();
});
