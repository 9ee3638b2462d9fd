import {
  createLogger,
  Database,
  operationsSettings,
  readSettings,
  serviceSettings,
} from '@gpu-observatory/service-runtime/process';

/** Runs an operations command on a connection of the schema's owner (`OWNER_DATABASE_URL`). */
export async function withOwnerDatabase<Result>(
  applicationName: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const { OWNER_DATABASE_URL: url, LOG_LEVEL: level } = readSettings(
    { ...operationsSettings, LOG_LEVEL: serviceSettings.LOG_LEVEL },
    process.env,
  );
  const logger = createLogger('website-api', level);
  const database = new Database({ url, poolSize: 1, namedStatements: true, applicationName, logger });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}
