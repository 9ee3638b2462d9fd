import { setTimeout as sleep } from 'node:timers/promises';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import pg from 'pg';
import type { DataSource, MigrationInterface } from 'typeorm';
import type { Logger } from '../logging/logger.ts';
import { OperationError } from '../operations/operation-error.ts';
import { checkMigrationHistory } from './migration-history.ts';

export interface MigrationOptions {
  /** The owner role's URL. */
  url: string;
  schema: string;
  /** Migration classes; their timestamps give the order. */
  migrations: (new () => MigrationInterface)[];
  logger: Logger;
  /** How often a migration tries to get its locks; fewer times in tests. */
  lockAttempts?: number;
}

/**
 * Whoever comes to a table after a waiting migration waits behind it. So it waits for less time than a request has, lets
 * the others pass, and tries again.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_ATTEMPTS = 15;
const PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Brings a schema to the newest migration, each in a transaction of its own. TypeORM takes no lock while it migrates
 * (two replicas would race), so an advisory lock of the schema is held around it: the second one waits, then finds
 * nothing to do.
 *
 * @returns the names of the migrations that ran now
 * @throws {DependencyUnavailable} when the database does not answer
 * @throws {OperationError} when some transaction held a table all the time
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
  // Should it break, the migration's own connection breaks too and says so; unheard, it would end the process.
  lock.on('error', (error) =>
    logger.warn({ err: error }, 'the connection that holds the migration lock broke'),
  );
  await lock.connect().catch((failure: unknown) => {
    throw new DependencyUnavailable('the database', failure);
  });
  // Only now: services share this package, and none of them has a use for it while it serves.
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
    // The one connection that the lock timeout is set on.
    extra: { max: 1 },
  });
  try {
    await lock.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`gpu-observatory:${schema}`]);
    await source.initialize();
    await source.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const executor = new MigrationExecutor(source);
    const pending = await executor.getPendingMigrations();
    const known = migrations.map(({ name }) => name);
    checkMigrationHistory(schema, known, await executor.getExecutedMigrations(), pending);
    await runPatiently(source, logger, lockAttempts);
    const ran = pending.map(({ name }) => name);
    logger.info({ schema, ran }, ran.length > 0 ? 'migrated' : 'the schema is up to date');
    return ran;
  } finally {
    if (source.isInitialized) await source.destroy();
    await lock.end();
  }
}

/** Each migration is a transaction of its own, so those that ran stay, and the rest is tried again. */
async function runPatiently(source: DataSource, logger: Logger, attempts: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await source.runMigrations();
      return;
    } catch (failure) {
      if (!isBlocked(failure)) throw failure;
      if (attempt === attempts) {
        throw new OperationError(
          `a migration tried ${attempts} times to lock a table that another transaction holds, and gave up: nothing of ` +
            'it was done. Look for long transactions in pg_stat_activity, end them or wait for them, and migrate again.',
          { cause: failure },
        );
      }
      logger.warn({ attempt, attempts }, 'a migration waits for a table that a transaction holds');
      await sleep(PAUSE_MS);
    }
  }
}

function isBlocked(failure: unknown): boolean {
  if (!(failure instanceof Error)) return false;
  const { driverError } = failure as { driverError?: { code?: string } };
  return driverError?.code === LOCK_NOT_AVAILABLE;
}
