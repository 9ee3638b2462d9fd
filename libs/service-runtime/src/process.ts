// What every process of a service uses, commands included. It loads neither Nest nor the HTTP server of the service.

// Environment variables.
export * from './config/service.config.ts';
export * from './config/settings.ts';

// PostgreSQL: connections with time limits, entities, migrations, and the preparation of a database.
export * from './database/columns.ts';
export { Connection } from './database/connection.ts';
export * from './database/database.ts';
export { StatementTimeout } from './database/database-error.ts';
export * from './database/entity-data-source.ts';
export * from './database/migrate.ts';
export { IncompatibleSchema } from './database/migration-history.ts';
export * from './database/prepare-database.ts';
export * from './database/session.ts';
export * from './database/statement.ts';

// Errors with a kind of the catalog, and the format of each service.
export * from './errors/domain-error.ts';
export * from './errors/echo.ts';
export * from './errors/envelopes.ts';
export * from './errors/error-catalog.ts';

// Counters of requests per key.
export * from './rate-limits/network-of.ts';
export * from './rate-limits/rate-limits.ts';

// Operations commands.
export * from './operations/operation-error.ts';
export * from './operations/operations.ts';
export * from './operations/owner-database.ts';

// Health, logs, metrics, memory and shutdown of a process.
export * from './health/readiness.ts';
export * from './http/management-server.ts';
export * from './logging/logger.ts';
export * from './memory/share-of-memory.ts';
export * from './metrics/metrics.ts';
export * from './shutdown/shutdown.ts';
