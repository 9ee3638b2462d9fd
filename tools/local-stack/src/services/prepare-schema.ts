import { dataDirectoryFlag } from '../data-directory.ts';
import { DATABASE } from '../databases/roles.ts';
import { StackError } from '../errors.ts';
import { ProgramError } from '../processes/run-to-completion.ts';
import type { StartContext } from '../start-context.ts';
import { operate } from './operate.ts';
import type { ServiceEnvironments } from './service-environments.ts';
import { type ServiceKey, services } from './services.ts';

/** Exit code of `migrate` for a schema of another migration history (`IncompatibleSchema` in service-runtime). */
const INCOMPATIBLE_SCHEMA = 'code 3';

/**
 * Creates a service's roles and schema, and migrates the schema.
 *
 * @throws {StackError} when an incompatible version created the schema; nothing is changed then
 */
export async function prepareSchema(
  key: ServiceKey,
  { operations }: ServiceEnvironments,
  { options, directory, abort }: StartContext,
): Promise<void> {
  await operate(key, ['database', 'prepare'], operations[key], directory.logs, abort.signal);
  try {
    await operate(key, ['migrate'], operations[key], directory.logs, abort.signal);
  } catch (failure) {
    if (!(failure instanceof ProgramError) || failure.ending !== INCOMPATIBLE_SCHEMA) throw failure;
    throw new StackError(
      options.databaseUrl === undefined
        ? incompatibleDirectory(directory.path, services[key])
        : incompatibleDatabase(new URL(options.databaseUrl).host, services[key]),
    );
  }
}

function incompatibleDirectory(path: string, service: string): string {
  return `The data directory ${path} was created by an incompatible version: ${service} cannot migrate its database.
Nothing was deleted. To delete the data and start with an empty database, run

  npm start -- --reset${dataDirectoryFlag(path)}

To keep the data, choose another --data-directory.`;
}

function incompatibleDatabase(host: string, service: string): string {
  return `The database ${DATABASE} at ${host} was created by an incompatible version: ${service} cannot migrate it.
Nothing was deleted. To delete the data, run this SQL statement there, then start again:

  DROP DATABASE ${DATABASE};`;
}
