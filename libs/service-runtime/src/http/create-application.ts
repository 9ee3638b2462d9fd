import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import type { DynamicModule, ExceptionFilter } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  errorCodes,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { ServiceConfig } from '../config/service.config.ts';
import { echo } from '../errors/echo.ts';
import type { ErrorEnvelope } from '../errors/envelopes.ts';
import { ErrorFilter, type UnknownPathHandler } from '../errors/error-filter.ts';
import type { Readiness } from '../health/readiness.ts';
import { nestLogger } from '../logging/logger.ts';
import type { Runtime } from '../runtime.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { decodeColonsInPath } from './colons-in-path.ts';
import { corsHeaders, enableCors, type CorsOrigins } from './cors.ts';
import { BODY_LIMIT_BYTES, parseBodies } from './request-body.ts';
import { connectionErrorHandlers } from './connection-errors.ts';
import { compressResponses } from './compression.ts';
import { limitWriteBuffer, type ResponseOwners } from './limit-write-buffer.ts';
import { requestIdOf, sendRequestIds } from './request-id.ts';
import { rejectMalformedInput } from './malformed-input.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { serveInOrder } from './serve-in-order.ts';
import { cutStalledResponses } from './stalled-responses.ts';
import { logTraceIds } from './trace-id.ts';
import { closeUnusedConnections } from './unused-connections.ts';

/** Limit of the request line and headers (docs/services.md#request-limits). */
const HEADER_LIMIT_BYTES = 16 * 1024;
/** Time to receive a request. Together with the check interval it stays below the documented 15 s. */
const REQUEST_TIMEOUT_MS = 14_500;
const TIMEOUT_CHECK_INTERVAL_MS = 250;

export interface ApplicationOptions extends Omit<Runtime, 'database'> {
  module: DynamicModule;
  envelope: ErrorEnvelope;
  config: Pick<ServiceConfig, 'trustedProxies' | 'allowedOrigins' | 'compressesResponses'>;
  /** Returns the owners of the bytes of a response in the write buffer; none by default. */
  responseOwners?: ResponseOwners | undefined;
  /** Returns the handler of unknown paths, in place of the framework's default body. */
  unknownPathHandler?(application: NestFastifyApplication): UnknownPathHandler;
  /** `allowed` by default. */
  corsOrigins?: CorsOrigins;
  /** Serves HTTPS with this certificate and key, in PEM. */
  tls?: { cert: Buffer; key: Buffer };
  /** Time to receive a request, in ms; shorter in tests. */
  requestTimeoutMs?: number;
  /** Time after which a response without progress is cut, in ms; shorter in tests. */
  stallTimeoutMs?: number | undefined;
}

/**
 * Creates a Nest application on Fastify with the behavior that all services share: request limits, request ids, logs,
 * metrics, error responses, CORS, optional trailing slashes. It does not listen yet.
 */
export async function createApplication(options: ApplicationOptions): Promise<NestFastifyApplication> {
  const {
    module,
    envelope,
    config,
    logger,
    readiness,
    metrics,
    writeBuffer,
    corsOrigins = 'allowed',
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
  } = options;
  const cors = corsHeaders(corsOrigins, config.allowedOrigins);
  const connectionErrors = connectionErrorHandlers(envelope, logger, cors);
  const filter = new ErrorFilter(envelope);
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => decodeColonsInPath(url),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    [options.tls ? 'https' : 'http']: {
      ...options.tls,
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      // A missing Host is rejected in the service's own format by rejectMalformedInput.
      requireHostHeader: false,
    },
    clientErrorHandler: connectionErrors.clientErrorHandler,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // The router rejects a path that it cannot decode before any hook runs.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('x-request-id', request.id).headers({
        ...SECURITY_HEADERS,
        ...cors(request.headers.origin),
      });
      filter.send(new errorCodes.FST_ERR_BAD_URL(echo(request.url)), request, reply);
    },
    // GPU ids of the form `host|pci|guest` can exceed Fastify's default of 100 characters.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: HEADER_LIMIT_BYTES },
  } as ConstructorParameters<typeof FastifyAdapter>[0]);

  const application = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server.server
    .on('checkExpectation', connectionErrors.checkExpectation)
    .on('request', connectionErrors.request);
  closeUnusedConnections(server);
  cutStalledResponses(server.server, { timeoutMs: options.stallTimeoutMs, onCut: writeBuffer.onCut });
  serveInOrder(server);
  parseBodies(server, envelope);
  sendRequestIds(server);
  logTraceIds(server);
  observeRequests(server, readiness, metrics);
  rejectMalformedInput(server, envelope);
  encodeLongText(server);
  if (config.compressesResponses) compressResponses(server);
  limitWriteBuffer(server, envelope, writeBuffer, options.responseOwners ?? (() => []));
  // Without this, errors on the framework's route for preflights would have the framework's format.
  server.addHook('onRoute', (route) => {
    if (route.url !== '*') return;
    route.errorHandler = (error, request, reply) => filter.send(error, request, reply);
  });
  filter.unknownPathHandler = options.unknownPathHandler?.(application);
  application.useGlobalFilters(filter as ExceptionFilter);
  enableCors(application, corsOrigins, config.allowedOrigins);
  return application;
}

/** Length from which texts are sent as bytes, in characters. */
const LONG_TEXT = 1024;

/** Sends long texts as bytes: Node writes them much faster than strings, and they can be compressed. */
function encodeLongText(server: FastifyInstance): void {
  server.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, typeof payload === 'string' && payload.length >= LONG_TEXT ? Buffer.from(payload) : payload);
  });
}

/** Logs and measures every request, and sets headers that every response has. Closes connections while draining. */
function observeRequests(server: FastifyInstance, readiness: Readiness, metrics: Metrics): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.isDraining) void reply.header('connection', 'close');
    void reply.headers(SECURITY_HEADERS);
    // A 304 has no body to describe (RFC 9110, section 15.4.5).
    if (reply.statusCode === 304) void reply.removeHeader('content-type');
    done(null, payload);
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
    done();
  });
}
