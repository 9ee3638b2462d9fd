import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Environment } from './config/settings.ts';
import type { ServiceConfig } from './config/service.config.ts';
import { Database } from './database/database.ts';
import type { ErrorEnvelope } from './errors/envelopes.ts';
import type { UnknownPathHandler } from './errors/error-filter.ts';
import { Readiness } from './health/readiness.ts';
import { errorMessage } from './operations/error-message.ts';
import { createApplication } from './http/create-application.ts';
import { sendLongBodiesInPieces } from './http/long-bodies.ts';
import { reportUntrustedProxy } from './http/untrusted-proxy.ts';
import { WriteBuffer } from './http/write-buffer.ts';
import { createManagementServer } from './http/management-server.ts';
import { createLogger } from './logging/logger.ts';
import { writeBufferLimits } from './memory/share-of-memory.ts';
import type { CorsOrigins } from './http/cors.ts';
import { Metrics } from './metrics/metrics.ts';
import { buildOpenApiDocument, type OpenApiOptions, serveOpenApi } from './openapi/openapi.ts';
import { type ReferenceOptions, serveReference, withWebsite } from './openapi/serve-reference.ts';
import type { Runtime } from './runtime.ts';
import { watchRequests } from './shutdown/quiet.ts';
import { shutDownGracefully } from './shutdown/shutdown.ts';

/** The parts of a service that differ from other services. */
export interface ServiceDefinition<Config extends { service: ServiceConfig }> {
  name: string;
  /** @throws {ConfigurationError} listing every missing or invalid variable */
  readConfig(environment: Environment): Config;
  module(config: Config, runtime: Runtime): DynamicModule;
  envelope: ErrorEnvelope;
  openApi: OpenApiOptions | ((config: Config) => OpenApiOptions);
  /** Public URL and links of the API reference. Without `homeUrl`, links to the website come first. */
  reference(config: Config): ReferenceOptions;
  /** Returns the handler of unknown paths, in place of the framework's default body. */
  unknownPathHandler?(application: NestFastifyApplication): UnknownPathHandler;
  /** Connections of the pool that quick reads share; none by default. */
  sharedConnections?: number;
  /** Whether requests write to the database. */
  writes?: boolean;
  /** Returns the owners of the bytes of a response in the write buffer; none by default. */
  responseOwners?(request: FastifyRequest): readonly unknown[];
  /** `allowed` by default. */
  corsOrigins?: CorsOrigins;
  /** Adds plugins and hooks before the application listens. */
  extend?(application: NestFastifyApplication, config: Config, runtime: Runtime): Promise<void>;
}

/** A service that listens. */
export interface RunningService {
  application: NestFastifyApplication;
  management: FastifyInstance;
  runtime: Runtime;
  publicUrl: string;
  managementUrl: string;
  close(): Promise<void>;
}

/** Creates a service and makes it listen. */
export async function runService<Config extends { service: ServiceConfig }>(
  definition: ServiceDefinition<Config>,
  config: Config,
): Promise<RunningService> {
  const { service } = config;
  const logger = createLogger(definition.name, service.logLevel);
  const readiness = new Readiness();
  const metrics = new Metrics(definition.name);
  const database = new Database({
    ...service.database,
    applicationName: definition.name,
    logger,
    ...(definition.sharedConnections && { sharedConnections: definition.sharedConnections }),
  });
  const writeBuffer = WriteBuffer.withMetrics(writeBufferLimits(), metrics);
  const runtime: Runtime = { logger, readiness, metrics, database, writeBuffer };
  reportDatabase(runtime, definition.writes ?? false);

  const application = await createApplication({
    module: definition.module(config, runtime),
    envelope: definition.envelope,
    config: service,
    ...runtime,
    responseOwners: definition.responseOwners,
    ...(definition.unknownPathHandler ? { unknownPathHandler: definition.unknownPathHandler } : {}),
    ...(definition.corsOrigins ? { corsOrigins: definition.corsOrigins } : {}),
  });
  const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  if (service.trustedProxies.length === 0) {
    reportUntrustedProxy(server, readiness, logger);
  }
  await definition.extend?.(application, config, runtime);
  sendLongBodiesInPieces(server);
  const { openApi } = definition;
  const document = buildOpenApiDocument(
    application,
    typeof openApi === 'function' ? openApi(config) : openApi,
  );
  serveOpenApi(server, document);
  serveReference(server, document, withWebsite(definition.reference(config), service.siteUrl));
  const management = createManagementServer(readiness, metrics);
  const close = async () => {
    await application.close();
    await management.close();
    await database.stop();
  };
  try {
    await database.start();
    await application.listen(service.port, service.host);
    // Last, because a process that reports that it is ready gets requests.
    await management.listen({ host: service.host, port: service.managementPort });
  } catch (error) {
    await close();
    throw error;
  }
  logger.info({ port: service.port, managementPort: service.managementPort }, 'listening');
  return {
    application,
    management,
    runtime,
    publicUrl: await application.getUrl(),
    managementUrl: management.listeningOrigin,
    close,
  };
}

/** Reports the state of the database in readiness and metrics. @param writes whether requests write to it */
function reportDatabase({ database, readiness, metrics }: Runtime, writes: boolean): void {
  readiness.register('database', () => database.unavailableReason);
  metrics.gauge('database_available', '1 while the database is available.', () =>
    database.unavailableReason === null ? 1 : 0,
  );
  if (writes) {
    readiness.registerDegradation('database_writes', () => database.notWritableReason);
    metrics.gauge('database_writable', '1 while the database accepts writes.', () =>
      database.notWritableReason === null ? 1 : 0,
    );
  }
  metrics.gauge(
    'database_connections',
    'Database connections of this process.',
    () => database.connections.total,
  );
  metrics.gauge(
    'database_waiting',
    'Requests that wait for a database connection.',
    () => database.connections.waiting,
  );
}

/** Runs a service until it receives a signal; the content of a service's `main.ts`. */
export async function startService<Config extends { service: ServiceConfig }>(
  definition: ServiceDefinition<Config>,
): Promise<void> {
  try {
    const config = definition.readConfig(process.env);
    const running = await runService(definition, config);
    const untilQuiet = watchRequests(running.application.getHttpServer());
    shutDownGracefully({
      readiness: running.runtime.readiness,
      logger: running.runtime.logger,
      drainSeconds: config.service.drainSeconds,
      close: [untilQuiet, () => running.close()],
    });
  } catch (error) {
    exitWithStartupError(definition.name, error);
  }
}

/** Prints the reason and exits with code 1. */
function exitWithStartupError(name: string, error: unknown): never {
  process.stderr.write(`${name} cannot start:\n${errorMessage(error)}\n`);
  process.exit(1);
}
