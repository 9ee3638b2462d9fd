// What every process of a service uses, commands included. It loads no Nest, no TypeORM and no HTTP server of the service.

// Environment variables.
export {
  operationsSettings,
  type ServiceConfig,
  serviceConfig,
  serviceSettings,
} from './config/service.config.ts';
export {
  ConfigurationError,
  describeSetting,
  type Environment,
  readSettings,
  setting,
  type SettingValues,
} from './config/settings.ts';
// PostgreSQL: connections with time limits, statements, and errors.
export { Connection } from './database/connection.ts';
export { Database, DEFAULT_TIMEOUT_MS } from './database/database.ts';
export { StatementTimeout } from './database/database-error.ts';
export { openSession } from './database/session.ts';
export type { Queryable, Statement } from './database/statement.ts';
// Migrations, and the preparation of a database.
export { migrate } from './database/migrate.ts';
export { prepareDatabase } from './database/prepare-database.ts';
// Errors with a kind of the catalog, and the format of each service.
export { DependencyUnavailable, DomainError, type ErrorKind } from './errors/domain-error.ts';
export { echo, echoNames } from './errors/echo.ts';
export { accountEnvelope, fleetEnvelope, problemEnvelope } from './errors/envelopes.ts';
export { accountErrors, fleetErrors, oauthErrors, websiteErrors } from './errors/error-catalog.ts';
// Limits of requests per network or user.
export { networkOf } from './rate-limits/network-of.ts';
export { RateLimits, rateLimitTableSql } from './rate-limits/rate-limits.ts';
// Operations commands.
export { OperationError } from './operations/operation-error.ts';
export { createOperations, runOperations } from './operations/operations.ts';
export { OwnerDatabase, withOperationsDatabase, withOwnerDatabase } from './operations/owner-database.ts';
// Health, logs, metrics, memory and shutdown of a process.
export { Readiness } from './health/readiness.ts';
export { createManagementServer } from './http/management-server.ts';
export { isRepeatedHeader } from './http/repeated-header.ts';
export { createLogger, type Logger } from './logging/logger.ts';
export { limitHeapGrowth } from './memory/heap-growth.ts';
export { shareOfMemory } from './memory/share-of-memory.ts';
export { Metrics } from './metrics/metrics.ts';
export { shutDownGracefully } from './shutdown/shutdown.ts';
