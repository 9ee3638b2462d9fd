// What every process of a service uses, commands included. It loads no Nest, TypeORM, Fastify, pino or prom-client: a command such as
// an import of one page runs every 15 s and would spend more time on loading them than on its work.

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
export { rateLimitTableSql } from './rate-limits/rate-limit-table.ts';
// Operations commands.
export { OperationError } from './operations/operation-error.ts';
export { createOperations, runOperations } from './operations/operations.ts';
export { OwnerDatabase, withOperationsDatabase, withOwnerDatabase } from './operations/owner-database.ts';
// Memory.
export { limitHeapGrowth } from './memory/heap-growth.ts';
export { shareOfMemory } from './memory/share-of-memory.ts';
