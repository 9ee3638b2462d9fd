import { isDeepStrictEqual } from 'node:util';
import {
  type HttpRequest,
  type HttpResponse,
  jsonBody,
  mediaTypeOf,
  summaryOf,
} from '../../deployment/http-exchange.ts';
import {
  Skipped,
  brief,
  expectHeader,
  expectSame,
  expectStatus,
  expectThat,
  expectType,
} from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { withoutNewData } from '../without-new-data.ts';

const OTHER_ORIGIN = 'https://elsewhere.invalid';

/** Returns components that every deployment has in common: the token endpoint is a URL of the deployment. */
function withoutTokenUrl(components: object = {}): unknown {
  return JSON.parse(
    JSON.stringify(components, (key, value: unknown) => (key === 'tokenUrl' ? undefined : value)),
  );
}

/** Rules for all three services. */
export const everyService: Rule[] = [
  rule('document-is-served', 'docs/services.md#openapi', async (target) => {
    const response = await target.get('/openapi.json');
    expectType(response, 'application/json');
    const served = jsonBody(response) as Partial<typeof target.document>;
    expectSame(
      Object.keys(served.paths ?? {}).sort(),
      Object.keys(target.document.paths).sort(),
      'served paths',
    );
    for (const [path, methods] of Object.entries(target.document.paths)) {
      for (const [method, operation] of Object.entries(methods))
        expectSame(served.paths?.[path]?.[method], operation, `${method.toUpperCase()} ${path} as served`);
    }
    expectSame(
      withoutTokenUrl(served.components),
      withoutTokenUrl(target.document.components),
      'served components',
    );
    return `same as the committed document, ${target.operations.length} operations`;
  }),
  rule('document-page-is-served', 'docs/services.md#api-reference', async (target) => {
    const page = await target.get('/docs', { accept: 'text/html' });
    const negotiated = await target.get('/docs', { accept: 'text/markdown' });
    const twin = await target.get('/docs.md', { accept: 'text/html' });
    expectType(page, 'text/html');
    for (const response of [negotiated, twin]) expectType(response, 'text/markdown');
    expectThat(twin.text === negotiated.text, '/docs.md differs from the negotiated markdown');
    for (const response of [page, negotiated]) {
      const text = response.text.replace(/<[^>]+>/g, '');
      const missing = target.operations.find(({ path }) => !text.includes(path));
      expectThat(!missing, `${summaryOf(response)} as ${mediaTypeOf(response)} lacks ${missing?.path}`);
    }
    return 'HTML and markdown at /docs, markdown at /docs.md';
  }),
  rule('request-id-echoed', 'docs/services.md#request-ids', async (target) => {
    const paths = [target.plainReads()[0]!.path, '/api/v1/no-such-path'];
    for (const path of paths) {
      for (const id of ['contract-1.a_B', 'x'.repeat(128)]) {
        const response = await target.get(path, { 'x-request-id': id });
        expectHeader(response, 'x-request-id', id);
      }
      for (const id of ['x'.repeat(129), 'a b', 'a;b', undefined]) {
        const response = await target.get(path, id === undefined ? {} : { 'x-request-id': id });
        expectHeader(response, 'x-request-id', /^[A-Za-z0-9._-]{1,128}$/);
      }
    }
    return 'valid ids echoed, invalid ids replaced';
  }),
  rule('trailing-slash-is-ignored', 'docs/services.md#paths', async (target) => {
    const reads = target.plainReads();
    for (const { path, secured } of reads) {
      const hasToken = target.options.token !== undefined;
      await expectSameWithSlash(target, path, secured && hasToken ? target.bearer() : {});
    }
    return `${reads.length} paths, the same response with and without a slash`;
  }),
  rule('internal-paths-are-not-public', 'docs/services.md#ports', async (target) => {
    const paths = ['/livez', '/readyz', '/metrics', '/internal/v1/revocations?since=2026-01-01T00:00:00Z'];
    for (const path of paths) {
      const response = await target.get(path);
      expectStatus(response, 404);
    }
    return `${paths.length} paths of other ports: 404`;
  }),
];

/** Rate limits of the services that have rate-limited operations. */
export const rateLimits: Rule[] = [
  rule('rate-limit-headers', 'docs/services.md#rate-limits', async (target) => {
    // Operations with a token are limited by user, so a request without one has no headers.
    const limited = target.operations.filter(({ method, secured }) => method === 'POST' && !secured);
    const { origin } = target.options;
    const responses: HttpResponse[] = [];
    for (const { path } of limited)
      responses.push(await target.post(path, {}, origin === undefined ? {} : { origin }));
    if (responses.every(({ headers }) => headers['ratelimit-limit'] === undefined))
      throw new Skipped('no RateLimit headers: rate limits are off, or other checks come first');
    // 415: the operation accepts a form alone.
    for (const response of responses.filter(({ status }) => ![404, 415].includes(status))) {
      const {
        'ratelimit-limit': limit,
        'ratelimit-remaining': remaining,
        'ratelimit-reset': reset,
      } = response.headers;
      expectThat(
        [limit, remaining, reset].every((value) => /^\d+$/.test(value ?? '')) &&
          Number(remaining) <= Number(limit),
        `${summaryOf(response)} has RateLimit-Limit ${limit}, -Remaining ${remaining}, -Reset ${reset}`,
      );
    }
    return `${responses.length} operations`;
  }),
];

/** CORS rules for the services that accept credentials from browsers. */
export const allowedOrigins: Rule[] = [
  rule('cors-for-other-origins', 'docs/services.md#browser-clients', async (target) => {
    const { path } = target.plainReads()[0]!;
    for (const response of [
      await target.get(path, { origin: OTHER_ORIGIN }),
      await target.send('OPTIONS', path, {
        headers: { origin: OTHER_ORIGIN, 'access-control-request-method': 'GET' },
      }),
    ]) {
      expectHeader(response, 'access-control-allow-origin', undefined);
    }
    return 'not allowed';
  }),
  rule('cors-for-allowed-origin', 'docs/services.md#browser-clients', async (target) => {
    const origin = target.origin();
    const { path } = target.plainReads()[0]!;
    const read = await target.get(path, { origin });
    const preflight = await target.send('OPTIONS', path, {
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    for (const response of [read, preflight]) {
      expectHeader(response, 'access-control-allow-origin', origin);
      expectHeader(response, 'access-control-allow-credentials', 'true');
      expectHeader(response, 'vary', /\borigin\b/i);
    }
    expectHeader(preflight, 'access-control-max-age', /^[1-9]\d*$/);
    return `${origin} with credentials, preflight cached`;
  }),
];

/**
 * Checks unknown paths and methods of a service with JSON errors.
 *
 * @param bodyOf returns the expected body for a message
 */
export const unknownPath = (bodyOf: (message: string) => object): Rule =>
  rule('unknown-path-and-method', 'docs/services.md#paths', async (target) => {
    const known = target.plainReads()[0]!.path;
    for (const [method, path] of [
      ['GET', '/api/v1/no-such-path'],
      ['GET', '/no/such/path'],
      ['PUT', known],
      ['PATCH', known],
    ] as const) {
      const response = await target.send(method, path);
      expectStatus(response, 404);
      expectSame(jsonBody(response), bodyOf(`Cannot ${method} ${path}`), brief(summaryOf(response)));
    }
    return 'the expected body';
  });

/** Compares a read with a slash with those before and after it, which agree unless the data changed. */
async function expectSameWithSlash(target: Target, path: string, credential: HttpRequest['headers']) {
  const bodyOf = (response: HttpResponse) => {
    const isRejected = response.status === 401 && Object.keys(credential).length === 0;
    expectThat(response.status === 200 || isRejected, summaryOf(response));
    // The token is encrypted differently each time.
    return { status: response.status, body: { ...(jsonBody(response) as object), next_page_token: '' } };
  };
  const { before, withSlash } = await withoutNewData(async () => {
    const responses = {
      before: bodyOf(await target.get(path, credential)),
      withSlash: bodyOf(await target.get(`${path}/`, credential)),
    };
    const after = bodyOf(await target.get(path, credential));
    return isDeepStrictEqual(responses.before, after) ? responses : undefined;
  });
  expectSame(withSlash, before, `${path}/ compared with ${path}`);
}
