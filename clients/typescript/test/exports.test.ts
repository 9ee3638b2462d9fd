import { createFleetClient, FleetError } from '../src/index.ts';
import { type ScriptedService, sendJson, startScriptedService } from './support/service.ts';

let service: ScriptedService;
beforeEach(async () => {
  service = await startScriptedService();
});
afterEach(() => service.close());

const fleet = () => createFleetClient({ baseUrl: service.url });

test('an export is a response with an unread body', async () => {
  service.respond = (_request, response) => void response.writeHead(200).end('id\r\n1\r\n');
  const response = await fleet().export('/api/v1/alerts', {
    type: 'text/csv',
    query: { 'filter[severity][in]': ['critical', 'high'] },
  });
  expect(response.bodyUsed).toBe(false);
  expect(await response.text()).toBe('id\r\n1\r\n');
  expect(service.requests).toMatchObject([
    { path: '/api/v1/alerts?filter[severity][in]=critical,high', headers: { accept: 'text/csv' } },
  ]);
});

test('an error is thrown at once, without a retry', async () => {
  service.respond = (_request, response) =>
    sendJson(response, 429, { error: 'too_many_requests', message: 'Later.' }, { 'retry-after': '5' });
  const error = await fleet()
    .export('/api/v1/gpus', { type: 'application/x-ndjson' })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FleetError);
  expect(error).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 5 });
  expect(service.requests).toHaveLength(1);
});

test('a body that is cut off throws while it is read', async () => {
  service.respond = (_request, response) => {
    response.writeHead(200).write('id\r\n');
    setTimeout(() => response.destroy(), 50);
  };
  const response = await fleet().export('/api/v1/alerts', { type: 'text/csv' });
  await expect(response.text()).rejects.toThrow(/terminated/);
});

test('an unreachable service is a connection error', async () => {
  const closed = createFleetClient({ baseUrl: 'http://127.0.0.1:1' });
  await expect(closed.export('/api/v1/alerts', { type: 'text/csv' })).rejects.toMatchObject({
    name: 'ConnectionError',
    code: 'unreachable',
  });
});

test('a list without exports is a type error', async () => {
  // @ts-expect-error: metrics have no export
  await fleet().export('/api/v1/metrics', { type: 'text/csv' });
  expect(service.requests).toHaveLength(1);
});
