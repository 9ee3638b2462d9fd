import {
  accountEnvelope,
  type ErrorEnvelope,
  fleetEnvelope,
  problemEnvelope,
  type UnknownPathHandler,
} from '../src/index.ts';
import { type FailingApplication, startFailingApplication } from './support/failing-application.ts';

interface Expected {
  type: string;
  body(code: string, status: number, message: string): object;
  /** Status and code of what the framework refuses. */
  badBody: [number, string];
  tooLarge: [number, string];
  unknownType: [number, string];
  away: [number, string];
  unexpected: string;
}

const services: [string, ErrorEnvelope, Expected][] = [
  [
    'fleet',
    fleetEnvelope,
    {
      type: 'application/json; charset=utf-8',
      body: (error, _status, message) => ({ error, message }),
      badBody: [400, 'invalid_query'],
      tooLarge: [400, 'invalid_query'],
      unknownType: [400, 'invalid_query'],
      away: [502, 'upstream_error'],
      unexpected: 'internal_server_error',
    },
  ],
  [
    'account',
    accountEnvelope,
    {
      type: 'application/json; charset=utf-8',
      body: (title, _status, detail) => ({ title, detail }),
      badBody: [400, 'Invalid Request'],
      tooLarge: [413, 'Payload Too Large'],
      unknownType: [415, 'Unsupported Media Type'],
      away: [503, 'Service Unavailable'],
      unexpected: 'Internal Server Error',
    },
  ],
  [
    'website',
    problemEnvelope,
    {
      type: 'application/problem+json; charset=utf-8',
      body: (title, status, detail) => ({ type: 'about:blank', title, status, detail }),
      badBody: [400, 'Bad Request'],
      tooLarge: [413, 'Content Too Large'],
      unknownType: [415, 'Unsupported Media Type'],
      away: [503, 'Service Unavailable'],
      unexpected: 'Internal Server Error',
    },
  ],
];

describe.each(services)('the %s envelope', (_name, envelope, expected) => {
  let application: FailingApplication;

  beforeAll(async () => {
    application = await startFailingApplication(envelope);
  });
  afterAll(() => application.close());

  async function ask(path: string, init?: RequestInit) {
    application.lines.length = 0;
    const response = await fetch(application.url + path, init);
    return { response, body: (await response.json()) as Record<string, string> };
  }
  const post = (body: string, type = 'application/json') =>
    ask('/bodies', { method: 'POST', body, headers: { 'content-type': type } });
  const logged = () => JSON.stringify(application.lines);

  test('writes a domain error as it says, and its detail into the log alone', async () => {
    const { response, body } = await ask('/domain-error');
    expect(response.status).toBe(418);
    expect(response.headers.get('content-type')).toBe(expected.type);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual(expected.body('teapot', 418, 'Short and stout.'));
    expect(logged()).toContain('handle 7, spout 9');
    expect(logged()).toContain('tipped over');
  });

  test('answers for a backing service that is away, without saying which', async () => {
    const { response, body } = await ask('/away');
    const [status, code] = expected.away;
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(body).toEqual(expected.body(code, status, 'A backing service does not answer; retry later.'));
    expect(logged()).toContain('connect ECONNREFUSED 10.0.0.7');
  });

  test.each(['/broken', '/foreign-status', '/framework-5xx'])(
    'hides what nobody foresaw: %s',
    async (path) => {
      const { response, body } = await ask(path);
      expect(response.status).toBe(500);
      expect(response.headers.get('content-type')).toBe(expected.type);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(body).toEqual(expected.body(expected.unexpected, 500, 'The service failed unexpectedly.'));
      expect(logged()).toMatch(/hunter2|the other service answered 404|disk \/dev\/sda is full/);
      expect(logged()).toContain('failing-application');
    },
  );

  test.each(['GET', 'POST'])("keeps the framework's body for an unknown path: %s", async (method) => {
    const { response, body } = await ask('/nowhere?a=b', { method });
    expect(response.status).toBe(404);
    expect(body).toEqual({
      message: `Cannot ${method} /nowhere?a=b`,
      error: 'Not Found',
      statusCode: 404,
    });
  });

  test('refuses broken JSON', async () => {
    const { response, body } = await post('{"a": ');
    const [status, code] = expected.badBody;
    expect(response.status).toBe(status);
    expect(body).toEqual(expected.body(code, status, expect.stringMatching(/not valid JSON/i) as string));
  });

  test('refuses a body that is too large', async () => {
    const { response, body } = await post(JSON.stringify('x'.repeat(2_000)));
    const [status, code] = expected.tooLarge;
    expect(response.status).toBe(status);
    expect(body).toEqual(expected.body(code, status, 'Request body is too large'));
  });

  test('refuses a body of an unknown type', async () => {
    const { response, body } = await post('<a/>', 'text/xml');
    const [status, code] = expected.unknownType;
    expect(response.status).toBe(status);
    expect(body).toEqual(
      expected.body(code, status, expect.stringMatching(/Unsupported Media Type/i) as string),
    );
  });

  test('passes on each fault that a validation names', async () => {
    const { response, body } = await ask('/validated');
    const [status, code] = expected.badBody;
    expect(response.status).toBe(status);
    expect(body).toEqual(expected.body(code, status, 'sort must be one of a, b; limit must be an integer'));
  });

  test('breaks off an answer that fails once begun', async () => {
    application.lines.length = 0;
    const reading = fetch(`${application.url}/half-way`).then((response) => response.text());
    await expect(reading).rejects.toThrow();
    expect(logged()).toContain('broke half-way');
    expect(logged()).toContain('failed after the answer had begun');
  });
});

test('a service may answer unknown paths in its own way', async () => {
  const siteMap: UnknownPathHandler = (_request, reply) => {
    void reply.status(404).type('text/markdown').send('# Site map');
  };
  const application = await startFailingApplication(problemEnvelope, siteMap);
  try {
    const response = await fetch(`${application.url}/nowhere`);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      404,
      'text/markdown',
      '# Site map',
    ]);
  } finally {
    await application.close();
  }
});
