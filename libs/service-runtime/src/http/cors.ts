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
          methods: ['GET', 'HEAD', 'POST', 'DELETE'],
          allowedHeaders: REQUEST_HEADERS,
          exposedHeaders: RESPONSE_HEADERS,
        };
  // Decides per request, so that an OPTIONS request that is not a preflight gets the 404 of any unknown method.
  application.enableCors({
    delegator: (request, decide) =>
      decide(null, { ...rules, preflight: isPreflight(request), maxAge: PREFLIGHT_CACHE_SECONDS }),
  });
}

/** Whether an OPTIONS request is a CORS preflight (https://fetch.spec.whatwg.org/#cors-preflight-request). */
export function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
