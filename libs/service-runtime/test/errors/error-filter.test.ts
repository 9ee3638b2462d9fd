import type { UnknownPathHandler } from '../../src/errors/error-filter.ts';
import type { ErrorEnvelope } from '../../src/errors/envelopes.ts';
import { accountEnvelope, fleetEnvelope, problemEnvelope } from '../../src/process.ts';
import { type FailingApplication, startFailingApplication } from '../support/failing-application.ts';

interface Expected {
  type: string;
  body(code: string, status: number, message: string): object;
  /** Status and code of requests that the framework rejects. */
  badBody: [number, string];
  tooLarge: [number, string];
  unknownType: [number, string];
  unavailable: [number, string];
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
      unavailable: [502, 'upstream_error'],
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
      unavailable: [503, 'Service Unavailable'],
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
      unavailable: [503, 'Service Unavailable'],
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

  async function request(path: string, init?: RequestInit) {
    application.lines.length = 0;
    const response = await fetch(application.url + path, init);
    return { response, body: (await response.json()) as Record<string, string> };
  }
  const post = (body: string, type: string) =>
    request('/bodies', { method: 'POST', body, headers: { 'content-type': type } });
  const logged = () => JSON.stringify(application.lines);

  test('returns a domain error with its headers and logs its cause', async () => {
    const { response, body } = await request('/domain-error');
    expect(response.status).toBe(418);
    expect(response.headers.get('content-type')).toBe(expected.type);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual(expected.body('teapot', 418, 'Short and stout.'));
    expect(logged()).toContain('tipped over');
  });

  test('does not reveal which backing service is unavailable', async () => {
    const { response, body } = await request('/unavailable');
    const [status, code] = expected.unavailable;
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(body).toEqual(expected.body(code, status, 'A backing service is unavailable; retry later.'));
    expect(logged()).toContain('connect ECONNREFUSED 10.0.0.7');
  });

  test.each(['/broken', '/foreign-status', '/framework-5xx'])(
    'hides the detail of an unexpected error: %s',
    async (path) => {
      const { response, body } = await request(path);
      expect(response.status).toBe(500);
      expect(response.headers.get('content-type')).toBe(expected.type);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(body).toEqual(expected.body(expected.unexpected, 500, 'Unexpected server error.'));
      expect(logged()).toMatch(/hunter2|the other service returned 404|disk \/dev\/sda is full/);
      expect(logged()).toContain('failing-application');
    },
  );

  test.each(['GET', 'POST'])('responds with 404 to an unknown path: %s', async (method) => {
    const { response, body } = await request('/nowhere?a=b', { method });
    expect(response.status).toBe(404);
    const message = `Cannot ${method} /nowhere?a=b`;
    expect(body).toEqual(
      envelope === accountEnvelope
        ? { title: 'Not Found', detail: message }
        : { message, error: 'Not Found', statusCode: 404 },
    );
  });

  test.each([
    ['invalid JSON', expected.badBody, '{"a": ', 'application/json', /not valid JSON/i],
    [
      'over the size limit',
      expected.tooLarge,
      JSON.stringify('x'.repeat(2_000)),
      'application/json',
      /too large/,
    ],
    [
      'of an unknown content type',
      expected.unknownType,
      '<a/>',
      'text/xml',
      /Content-Type: application\/json/,
    ],
  ] as const)('rejects a body that is %s', async (_what, [status, code], sent, type, message) => {
    const { response, body } = await post(sent, type);
    expect(response.status).toBe(status);
    expect(body).toEqual(expected.body(code, status, expect.stringMatching(message) as string));
  });

  test('lists every message of a validation error', async () => {
    const { response, body } = await request('/validated');
    const [status, code] = expected.badBody;
    expect(response.status).toBe(status);
    expect(body).toEqual(expected.body(code, status, 'sort must be one of a, b; limit must be an integer'));
  });

  test('closes the connection when a response fails after its headers were sent', async () => {
    application.lines.length = 0;
    const reading = fetch(`${application.url}/half-way`).then((response) => response.text());
    await expect(reading).rejects.toThrow();
    expect(logged()).toContain('broke half-way');
    expect(logged()).toContain('failed after the response headers were sent');
  });
});

test("sends a service's own response for unknown paths", async () => {
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
