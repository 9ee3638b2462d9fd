import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource, MigrationInterface } from 'typeorm';
import { DependencyUnavailable } from '../errors/domain-error.ts';
import type { Logger } from '../logging/logger.ts';
import { OperationError } from '../operations/operation-error.ts';
import { checkMigrationHistory } from './migration-history.ts';

interface MigrationOptions {
  /** URL of the owner role. */
  url: string;
  schema: string;
  /** Migration classes; their timestamps define the order. */
  migrations: (new () => MigrationInterface)[];
  logger: Logger;
  /** Attempts to lock tables; fewer in tests. */
  lockAttempts?: number;
}

/**
 * Statements that arrive after a waiting migration queue behind its lock. The migration therefore waits less than a
 * request's timeout, lets the queue pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_ATTEMPTS = 15;
const RETRY_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs the pending migrations of a schema, each in its own transaction. TypeORM does not lock, so concurrent runs are
 * serialized by an advisory lock of the schema: the second one waits, then has nothing to do.
 *
 * @returns the names of the migrations that ran
 * @throws {DependencyUnavailable} when the database is unavailable
 * @throws {OperationError} when another transaction held a lock during all attempts
 * @throws {IncompatibleSchema} when the schema comes from another migration history
 */
export async function migrate({
  url,
  schema,
  migrations,
  logger,
  lockAttempts = LOCK_ATTEMPTS,
}: MigrationOptions): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url, application_name: `${schema}-migration-lock` });
  // Without a listener the error would end the process. The migration's own connection breaks too and reports it.
  lock.on('error', (error) => logger.warn({ err: error }, 'lost the connection with the migration lock'));
  await lock.connect().catch((error: unknown) => {
    throw new DependencyUnavailable('the database', error);
  });
  // Loaded on demand: a running service without entities does not need TypeORM.
  const [{ DataSource, MigrationExecutor }, { MigrationLog }] = await Promise.all([
    import('typeorm'),
    import('./migration-log.ts'),
  ]);
  const source = new DataSource({
    type: 'postgres',
    url,
    schema,
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    logger: new MigrationLog(logger),
    applicationName: `${schema}-migration`,
    // One connection, so that the lock timeout below applies to every migration.
    extra: { max: 1 },
  });
  try {
    await lock.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`gpu-observatory:${schema}`]);
    await source.initialize();
    await source.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const executor = new MigrationExecutor(source);
    const pending = await executor.getPendingMigrations();
    const known = migrations.map(({ name }) => name);
    checkMigrationHistory(schema, known, await executor.getExecutedMigrations());
    await runWithRetries(source, logger, lockAttempts);
    const ran = pending.map(({ name }) => name);
    logger.info({ schema, ran }, ran.length > 0 ? 'migrated' : 'the schema is up to date');
    return ran;
  } finally {
    if (source.isInitialized) await source.destroy();
    await lock.end();
  }
}

/**
 * Retries migrations that cannot lock a table. Migrations that succeeded are kept, because each has its own
 * transaction.
 */
async function runWithRetries(source: DataSource, logger: Logger, attempts: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await source.runMigrations();
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === attempts) {
        throw new OperationError(
          `a migration could not lock a table in ${attempts} attempts, because another transaction holds a lock on it. ` +
            'The migration changed nothing. Find long transactions in pg_stat_activity, end them or wait, and run migrate again.',
          { cause: error },
        );
      }
      logger.warn({ attempt, attempts }, 'a migration waits for a table lock');
      await sleep(RETRY_PAUSE_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { driverError } = error as { driverError?: { code?: string } };
  return driverError?.code === LOCK_NOT_AVAILABLE;
}
