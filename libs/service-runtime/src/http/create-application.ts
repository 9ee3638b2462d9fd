import 'reflect-metadata';
import type { DynamicModule, ExceptionFilter } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ErrorEnvelope, ErrorFilter, type UnknownPathHandler } from '@gpu-observatory/error-envelopes';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { ServiceConfig } from '../config/service.config.ts';
import type { Readiness } from '../health/readiness.ts';
import { type Logger, NestLogger } from '../logging/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { enableCors, type CorsOrigins } from './cors.ts';
import { parseJsonBodies } from './json-body.ts';
import { connectionErrorHandlers } from './connection-errors.ts';
import { propagateTraceContext, requestIdOf } from './request-id.ts';
import { closeUnusedConnections } from './unused-connections.ts';
import { rejectMalformedInput } from './malformed-input.ts';

/** Limits on what a client may send (decisions, section 1, Limits). */
const BODY_LIMIT_BYTES = 64 * 1024;
const HEADER_LIMIT_BYTES = 16 * 1024;
/** With the time between two looks at the connections: a request not received whole in 15 s is cut by then. */
const RECEIVE_WITHIN_MS = 14_500;
const LOOK_EVERY_MS = 250;

export interface ApplicationOptions {
  module: DynamicModule;
  envelope: ErrorEnvelope;
  config: Pick<ServiceConfig, 'trustedProxies' | 'allowedOrigins'>;
  logger: Logger;
  readiness: Readiness;
  metrics: Metrics;
  /** What answers a path that does not exist, where it is not the framework's default body. */
  unknownPathHandler?: UnknownPathHandler;
  /** Whose browsers may read the answers; by default the allowed origins'. */
  corsOrigins?: CorsOrigins;
  /** How long a request may take to arrive; shorter in tests. */
  requestTimeoutMs?: number;
}

/**
 * A Nest application on Fastify with everything that is the same in every service: limits, request ids, logs, metrics,
 * error envelope, origins, paths with and without a trailing slash. It does not listen yet.
 */
export async function createApplication(options: ApplicationOptions): Promise<NestFastifyApplication> {
  const {
    module,
    envelope,
    config,
    logger,
    readiness,
    metrics,
    requestTimeoutMs = RECEIVE_WITHIN_MS,
  } = options;
  const refused = connectionErrorHandlers(envelope, logger);
  const filter = new ErrorFilter(envelope, options.unknownPathHandler);
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      // A missing Host is refused in the service's own shape.
      requireHostHeader: false,
    },
    clientErrorHandler: refused.clientErrorHandler,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // The router refuses a path that it cannot decode before any hook runs; the envelope is the same.
    frameworkErrors: (failure: unknown, request: FastifyRequest, reply: FastifyReply) => {
      void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
      filter.send(failure, request, reply);
    },
    // A GPU id of the form `host|pci|guest` may be long; Fastify's default of 100 would refuse it.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: HEADER_LIMIT_BYTES },
  } as ConstructorParameters<typeof FastifyAdapter>[0]);

  const application = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server.server.on('checkExpectation', refused.checkExpectation);
  closeUnusedConnections(server);
  parseJsonBodies(server, envelope);
  propagateTraceContext(server);
  observeRequests(server, readiness, metrics);
  rejectMalformedInput(server, envelope);
  encodeLongText(server);
  // The framework's own route for preflights would answer a refusal in the framework's shape.
  server.addHook('onRoute', (route) => {
    if (route.url !== '*') return;
    route.errorHandler = (failure, request, reply) => filter.send(failure, request, reply);
  });
  application.useGlobalFilters(filter as ExceptionFilter);
  enableCors(application, options.corsOrigins ?? 'allowed', config.allowedOrigins);
  return application;
}

/** Below it a text goes out as fast as its bytes. */
const LONG_TEXT = 4 * 1024;

/** Long texts leave as bytes: Node writes those at a fraction of what it takes to write a text. */
function encodeLongText(server: FastifyInstance): void {
  server.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, typeof payload === 'string' && payload.length > LONG_TEXT ? Buffer.from(payload) : payload);
  });
}

/** One log line and one observation a request; while draining, connections are told to close. */
function observeRequests(server: FastifyInstance, readiness: Readiness, metrics: Metrics): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.isDraining) void reply.header('connection', 'close');
    void reply.header('x-content-type-options', 'nosniff');
    // Nothing about a body that does not come along (RFC 9110, section 15.4.5).
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
