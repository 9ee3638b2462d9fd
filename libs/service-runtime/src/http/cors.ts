import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/**
 * Browser origins that may read responses (docs/services.md#browser-clients): the allowed origins, with credentials; or any
 * origin without credentials, for public content.
 */
export type CorsOrigins = 'allowed' | 'any';

const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'accept',
  'if-none-match',
  'x-request-id',
  'idempotency-key',
  'traceparent',
];

const RESPONSE_HEADERS = [
  'etag',
  'retry-after',
  'x-request-id',
  'x-data-as-of',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
];

const PREFLIGHT_CACHE_SECONDS = 600;

export function enableCors(
  application: NestFastifyApplication,
  origins: CorsOrigins,
  allowedOrigins: string[],
): void {
  if (origins === 'allowed' && allowedOrigins.length === 0) return;
  const rules =
    origins === 'any'
      ? {
          origin: '*',
          methods: ['GET', 'HEAD', 'POST'],
          allowedHeaders: [...REQUEST_HEADERS, 'x-api-key'],
          exposedHeaders: [...RESPONSE_HEADERS, 'link'],
        }
      : {
          origin: allowedOrigins,
          credentials: true,
          methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
          allowedHeaders: REQUEST_HEADERS,
          exposedHeaders: RESPONSE_HEADERS,
        };
  // Decides per request, so that an OPTIONS request that is not a preflight gets the 404 of any unknown method.
  application.enableCors({
    delegator: (request, decide) =>
      decide(null, { ...rules, preflight: isPreflight(request), maxAge: PREFLIGHT_CACHE_SECONDS }),
  });
}

/**
 * Returns a function from the `Origin` of a request to the CORS headers of its response, for responses that are sent before
 * the hooks of `enableCors` run.
 */
export function corsHeaders(
  origins: CorsOrigins,
  allowedOrigins: string[],
): (origin: string | undefined) => Record<string, string> {
  if (origins === 'any') {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': RESPONSE_HEADERS.join(', '),
    };
    return () => headers;
  }
  return (origin) => ({
    ...(allowedOrigins.length > 0 && { vary: 'Origin' }),
    ...(origin !== undefined &&
      allowedOrigins.includes(origin) && {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': RESPONSE_HEADERS.join(', '),
      }),
  });
}

/** Whether an OPTIONS request is a CORS preflight (https://fetch.spec.whatwg.org/#cors-preflight-request). */
export function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
