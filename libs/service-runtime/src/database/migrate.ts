import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import type { Logger } from '../logging/logger.ts';
import { MigrationLog } from './migration-log.ts';

export interface MigrationOptions {
  /** The owner role's URL. */
  url: string;
  schema: string;
  /** Migration classes; their timestamps give the order. */
  migrations: (new () => MigrationInterface)[];
  logger: Logger;
}

/**
 * Brings a schema to the newest migration, each in a transaction of its own. TypeORM takes no lock while it migrates
 * (two replicas would race), so an advisory lock of the schema is held around it: the second one waits, then finds
 * nothing to do.
 *
 * @returns the names of the migrations that ran now
 * @throws {DependencyUnavailable} when the database does not answer
 */
export async function migrate({ url, schema, migrations, logger }: MigrationOptions): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url, application_name: `${schema}-migration-lock` });
  // Should it break, the migration's own connection breaks too and says so; unheard, it would end the process.
  lock.on('error', (error) =>
    logger.warn({ err: error }, 'the connection that holds the migration lock broke'),
  );
  await lock.connect().catch((failure: unknown) => {
    throw new DependencyUnavailable('the database', failure);
  });
  const source = new DataSource({
    type: 'postgres',
    url,
    schema,
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    logger: new MigrationLog(logger),
    applicationName: `${schema}-migration`,
  });
  try {
    await lock.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`gpu-observatory:${schema}`]);
    await source.initialize();
    const ran = (await source.runMigrations()).map((migration) => migration.name);
    logger.info({ schema, ran }, ran.length > 0 ? 'migrated' : 'the schema is up to date');
    return ran;
  } finally {
    if (source.isInitialized) await source.destroy();
    await lock.end();
  }
}
