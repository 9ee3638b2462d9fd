import { Command } from 'commander';
import type { MigrationInterface } from 'typeorm';
import { z } from 'zod';
import { operationsSettings, serviceSettings } from '../config/service.config.ts';
import { readSettings, setting, type Settings, describeSetting } from '../config/settings.ts';
import { migrate } from '../database/migrate.ts';
import { IncompatibleSchema } from '../database/migration-history.ts';
import { prepareDatabase, roleOf } from '../database/prepare-database.ts';
import { createLogger } from '../logging/logger.ts';
import { errorMessage } from './error-message.ts';

export interface OperationsDefinition {
  name: string;
  schema: string;
  migrations: (new () => MigrationInterface)[];
  /** Every variable the service and its operations read, for `config`. */
  settings: Settings;
  /** The variables that hold the URLs of runtime roles, for `database prepare`. */
  runtimeUrlVariables: string[];
  extensions?: string[];
}

/**
 * The operations commands that every service has: `migrate`, `database prepare` and `config`. A service adds its own
 * to the program this returns.
 */
export function createOperations(definition: OperationsDefinition): Command {
  const { name, schema, migrations } = definition;
  const program = new Command(name).description(`Operations of ${name}`).showHelpAfterError();

  program
    .command('migrate')
    .description('bring the schema to the newest migration (OWNER_DATABASE_URL)')
    .action(async () => {
      const { OWNER_DATABASE_URL: url, LOG_LEVEL: level } = readSettings(
        { ...operationsSettings, LOG_LEVEL: serviceSettings.LOG_LEVEL },
        process.env,
      );
      await migrate({ url, schema, migrations, logger: createLogger(name, level) });
    });

  program
    .command('database')
    .description('the service’s place in a PostgreSQL server')
    .command('prepare')
    .description(
      `make the schema and its roles, as an administrator (ADMINISTRATOR_DATABASE_URL); names and passwords come from ` +
        `${['OWNER_DATABASE_URL', ...definition.runtimeUrlVariables].join(', ')}`,
    )
    .action(async () => {
      const urls = readSettings(
        {
          ADMINISTRATOR_DATABASE_URL: setting.postgresUrl('a role that may create roles and schemas'),
          ...operationsSettings,
          ...Object.fromEntries(
            definition.runtimeUrlVariables.map((variable) => [
              variable,
              setting.postgresUrl('a runtime role'),
            ]),
          ),
        } as Record<string, z.ZodType<string>>,
        process.env,
      );
      await prepareDatabase({
        administratorUrl: urls.ADMINISTRATOR_DATABASE_URL as string,
        schema,
        owner: roleOf(urls.OWNER_DATABASE_URL as string),
        runtimes: definition.runtimeUrlVariables.map((variable) => roleOf(urls[variable] as string)),
        extensions: definition.extensions ?? [],
      });
    });

  program
    .command('config')
    .description('every variable the service reads and what it should be')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }) => {
      const variables = Object.entries(definition.settings).map(([variable, schema]) => ({
        variable,
        should_be: describeSetting(schema),
      }));
      process.stdout.write(
        json
          ? `${JSON.stringify(variables, null, 2)}\n`
          : variables.map(({ variable, should_be }) => `${variable}\n    ${should_be}\n`).join(''),
      );
    });

  return program;
}

/** The whole of a service's `cli.ts`: run what the command line asks for; a failure is told and exit code 1. */
export async function runOperations(program: Command): Promise<void> {
  process.stdout.on('error', stopUnread);
  try {
    await program.parseAsync();
  } catch (failure) {
    process.stderr.write(`${program.name()}: ${errorMessage(failure)}\n`);
    process.exit(failure instanceof IncompatibleSchema ? IncompatibleSchema.EXIT_CODE : 1);
  }
}

/** Whoever reads may have read enough (`| head`): that is no failure. */
function stopUnread(failure: NodeJS.ErrnoException): void {
  if (failure.code === 'EPIPE') process.exit(0);
  throw failure;
}
