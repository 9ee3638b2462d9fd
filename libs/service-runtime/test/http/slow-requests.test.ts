import { fleetEnvelope } from '../../src/process.ts';
import { type EchoService, startEchoService } from '../support/echo-service.ts';
import { rawRequest } from '../support/raw-request.ts';

const RECEIVE_WITHIN_MS = 700;
/** Check interval plus tolerance for the machine; sending the whole request would take longer. */
const LATE_MS = 4_000;

let service: EchoService;

beforeAll(async () => {
  service = await startEchoService({ requestTimeoutMs: RECEIVE_WITHIN_MS });
});
afterAll(() => service.close());

const head = 'POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

test.each([
  ['an empty request', [''], 0],
  ['one header only', ['GET /things HTTP/1.1\r\nHost: a\r\n'], 0],
  ['a header now and then', ['GET /things HTTP/1.1\r\n', ...Array<string>(60).fill('X-A: b\r\n')], 100],
  ['a body that stops', [`${head}Content-Length: 100\r\n\r\n{"a":`], 0],
  ['a body byte by byte', [`${head}Content-Length: 100\r\n\r\n`, ...Array<string>(60).fill(' ')], 100],
  [
    'chunks now and then',
    [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...Array<string>(60).fill('1\r\n \r\n')],
    100,
  ],
])('cuts a request that is not received in time: %s', async (_name, parts, pauseMs) => {
  const response = await rawRequest(service.port, parts, pauseMs);
  expect(response.milliseconds).toBeGreaterThan(RECEIVE_WITHIN_MS - 50);
  expect(response.milliseconds).toBeLessThan(RECEIVE_WITHIN_MS + LATE_MS);
  if (response.status !== 0) {
    expect(response.status).toBe(408);
    expect(JSON.parse(response.body)).toMatchObject({ title: 'Request Timeout' });
  }
});

describe('a browser', () => {
  const ORIGIN = 'https://app.example';
  let api: EchoService;

  beforeAll(async () => {
    api = await startEchoService({
      envelope: fleetEnvelope,
      requestTimeoutMs: RECEIVE_WITHIN_MS,
      config: { allowedOrigins: [ORIGIN] },
    });
  });
  afterAll(() => api.close());

  test('can read that its request body did not arrive in time', async () => {
    const response = await rawRequest(api.port, [
      `${head}Origin: ${ORIGIN}\r\nContent-Length: 100\r\n\r\n{"a":`,
    ]);
    expect([response.status, JSON.parse(response.body)]).toEqual([
      408,
      { error: 'request_timeout', message: 'The request was not received completely within 15 s.' },
    ]);
    expect(response.headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: 'Origin' });
  });

  test('cannot read it if the headers did not arrive', async () => {
    const response = await rawRequest(api.port, [`${head}Origin: ${ORIGIN}\r\n`]);
    expect(response.status).toBe(408);
    expect(response.headers).toMatchObject({ vary: 'Origin' });
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });
});

test('cuts hundreds of slow clients without delaying others', async () => {
  const slow = Promise.all(
    Array.from({ length: 300 }, () => rawRequest(service.port, [`${head}Content-Length: 100\r\n\r\n{`])),
  );
  const times: number[] = [];
  for (let index = 0; index < 50; index++) {
    const startedAt = performance.now();
    expect((await fetch(`${service.url}/things`)).status).toBe(200);
    times.push(performance.now() - startedAt);
  }
  // Single requests may be delayed by the machine.
  expect(times.sort((a, b) => a - b)[25]).toBeLessThan(500);
  for (const { milliseconds } of await slow)
    expect(milliseconds).toBeLessThan(RECEIVE_WITHIN_MS + 2 * LATE_MS);
});
