import { OperationError } from '../operations/operation-error.ts';
import { columnTypes } from './column-types.ts';
import { Connection } from './connection.ts';

interface SessionOptions {
  url: string;
  /** Name of the schema, for the error message. */
  schema: string;
  /** The setting that contains the URL, for the error message. */
  variable: string;
  applicationName: string;
}

/**
 * Opens a connection of a command, without a statement timeout. Session time zone is UTC.
 *
 * @throws {OperationError} when the database cannot be reached
 */
export async function openSession({
  url,
  schema,
  variable,
  applicationName,
}: SessionOptions): Promise<Connection> {
  const client = new Connection({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: columnTypes,
  });
  // Without a listener a broken connection would end the process. The running statement reports the error.
  client.on('error', () => undefined);
  await client.connect().catch((error: Error) => {
    throw new OperationError(
      `the ${schema} database cannot be reached (${error.message}); check ${variable}`,
    );
  });
  await client.query("SET timezone = 'UTC'");
  return client;
}
