import { jsonOf, mediaTypeOf, nameOf } from '../../deployment/answer.ts';
import { brief, expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';

const OTHER_ORIGIN = 'https://elsewhere.invalid';

/** What holds of all three services alike. */
export const everyService: Rule<Subject>[] = [
  {
    name: 'document-is-served',
    source: 'decisions 1, OpenAPI',
    async hold(subject) {
      const answer = await subject.get('/openapi.json');
      expectThat(answer.status === 200, nameOf(answer));
      expectThat(mediaTypeOf(answer) === 'application/json', `content type ${mediaTypeOf(answer)}`);
      const served = jsonOf(answer) as Partial<typeof subject.document>;
      expectSame(
        Object.keys(served.paths ?? {}).sort(),
        Object.keys(subject.document.paths).sort(),
        'served paths',
      );
      for (const [path, methods] of Object.entries(subject.document.paths)) {
        for (const [method, operation] of Object.entries(methods))
          expectSame(served.paths?.[path]?.[method], operation, `${method.toUpperCase()} ${path} as served`);
      }
      expectSame(served.components, subject.document.components, 'served components');
      return `the committed one, ${subject.operations.length} operations`;
    },
  },
  {
    name: 'document-has-a-page',
    source: 'decisions 1, OpenAPI',
    async hold(subject) {
      const answer = await subject.get('/docs', { accept: 'text/html' });
      expectThat(answer.status === 200 && mediaTypeOf(answer) === 'text/html', nameOf(answer));
      return 'html at /docs';
    },
  },
  {
    name: 'request-id-echoed',
    source: 'decisions 1, Request id',
    async hold(subject) {
      const paths = [subject.plainReads()[0]!.path, '/api/v1/no-such-path'];
      for (const path of paths) {
        for (const id of ['contract-1.a_B', 'x'.repeat(128)]) {
          const answer = await subject.get(path, { 'x-request-id': id });
          expectThat(
            answer.headers['x-request-id'] === id,
            `${nameOf(answer)} has X-Request-Id ${answer.headers['x-request-id']}, sent was ${id}`,
          );
        }
        for (const id of ['x'.repeat(129), 'a b', 'a;b', undefined]) {
          const answer = await subject.get(path, id === undefined ? {} : { 'x-request-id': id });
          const made = answer.headers['x-request-id'];
          expectThat(
            made !== undefined && made !== id && /^[A-Za-z0-9._-]{1,128}$/.test(made),
            `${nameOf(answer)} has X-Request-Id ${made}, sent was ${id ?? 'none'}`,
          );
        }
      }
      return 'fit ids echoed, unfit ones replaced';
    },
  },
  {
    name: 'paths-with-and-without-slash',
    source: 'decisions 1, Path forms',
    async hold(subject) {
      const reads = subject.plainReads();
      for (const { path, secured } of reads) {
        const credential = secured && subject.options.token !== undefined ? subject.bearer() : {};
        const [without, within] = [
          await subject.get(path, credential),
          await subject.get(`${path}/`, credential),
        ];
        expectThat(
          without.status === within.status && without.status < 300 === within.status < 300,
          `${nameOf(without)}, but ${nameOf(within)}`,
        );
        expectSame(shapeOf(jsonOf(within)), shapeOf(jsonOf(without)), `${path}/ against ${path}`);
      }
      return `${reads.length} paths, the same answer both ways`;
    },
  },
  {
    name: 'management-is-elsewhere',
    source: 'decisions 1, Ports',
    async hold(subject) {
      const paths = ['/livez', '/readyz', '/metrics', '/internal/v1/revocations?since=2026-01-01T00:00:00Z'];
      for (const path of paths) {
        const answer = await subject.get(path);
        expectThat(answer.status === 404, nameOf(answer));
      }
      return `${paths.length} paths of other ports are 404`;
    },
  },
  {
    name: 'rate-limit-headers',
    source: 'decisions 1, Rate limits',
    async hold(subject) {
      const limited = subject.operations.filter(({ method }) => method === 'POST');
      if (limited.length === 0) throw new NotSeen('nothing here is limited');
      for (const { path } of limited.filter((operation) => !operation.path.includes('{'))) {
        const answer = await subject.send('POST', path, {
          headers: { 'content-type': 'application/json' },
          body: '{}',
        });
        const {
          'ratelimit-limit': limit,
          'ratelimit-remaining': remaining,
          'ratelimit-reset': reset,
        } = answer.headers;
        if (limit === undefined) continue;
        expectThat(
          [limit, remaining, reset].every((value) => /^\d+$/.test(value ?? '')) &&
            Number(remaining) <= Number(limit),
          `${nameOf(answer)} has RateLimit-Limit ${limit}, -Remaining ${remaining}, -Reset ${reset}`,
        );
        return `${path}: ${remaining} of ${limit} remain`;
      }
      throw new NotSeen('this deployment limits nothing, or not before it refuses an empty body');
    },
  },
];

/** Credentialed browsers: for the services that have them. */
export const allowedOrigins: Rule<Subject>[] = [
  {
    name: 'cors-for-other-origins',
    source: 'decisions 1, Browser clients',
    async hold(subject) {
      const { path } = subject.plainReads()[0]!;
      for (const answer of [
        await subject.get(path, { origin: OTHER_ORIGIN }),
        await subject.send('OPTIONS', path, {
          headers: { origin: OTHER_ORIGIN, 'access-control-request-method': 'GET' },
        }),
      ]) {
        const allowed = answer.headers['access-control-allow-origin'];
        expectThat(allowed === undefined, `${nameOf(answer)} allows ${allowed} to ${OTHER_ORIGIN}`);
      }
      return 'not allowed';
    },
  },
  {
    name: 'cors-for-allowed-origin',
    source: 'decisions 1, Browser clients',
    async hold(subject) {
      const { origin } = subject.options;
      if (origin === undefined) throw new NotSeen('needs --origin');
      const { path } = subject.plainReads()[0]!;
      const read = await subject.get(path, { origin });
      const preflight = await subject.send('OPTIONS', path, {
        headers: {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      });
      for (const answer of [read, preflight]) {
        expectSame(answer.headers['access-control-allow-origin'], origin, nameOf(answer));
        expectSame(
          answer.headers['access-control-allow-credentials'],
          'true',
          `${nameOf(answer)}, credentials`,
        );
        expectThat(/\borigin\b/i.test(answer.headers.vary ?? ''), `${nameOf(answer)} lacks Vary: Origin`);
      }
      expectThat(
        Number(preflight.headers['access-control-max-age']) > 0,
        'the preflight cannot be cached: no Access-Control-Max-Age',
      );
      return `${origin} with credentials, preflight cached`;
    },
  },
];

/** The framework's own answer where nothing is (contract 7.1), in the services that answer with JSON. */
export const defaultUnknownPath: Rule<Subject> = {
  name: 'unknown-path-and-method',
  source: 'contract 7.1',
  async hold(subject) {
    const known = subject.plainReads()[0]!.path;
    for (const [method, path] of [
      ['GET', '/api/v1/no-such-path'],
      ['GET', '/no/such/path'],
      ['PUT', known],
      ['PATCH', known],
    ] as const) {
      const answer = await subject.send(method, path);
      expectThat(answer.status === 404, nameOf(answer));
      expectSame(
        jsonOf(answer),
        { message: `Cannot ${method} ${path}`, error: 'Not Found', statusCode: 404 },
        brief(nameOf(answer)),
      );
    }
    return "the framework's default body";
  },
};

/** What two readings of living data have in common: which fields there are. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return 'array';
  if (value === null || typeof value !== 'object') return 'value';
  return Object.keys(value)
    .filter((key) => key !== 'next_page_token')
    .sort();
}
