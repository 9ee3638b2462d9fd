import { Command } from 'commander';
import type { MigrationInterface } from 'typeorm';
import { z } from 'zod';
import { operationsSettings, serviceSettings } from '../config/service.config.ts';
import { readSettings, setting, type Settings, describeSetting } from '../config/settings.ts';
import { migrate } from '../database/migrate.ts';
import { IncompatibleSchema } from '../database/migration-history.ts';
import { prepareDatabase, roleOf } from '../database/prepare-database.ts';
import { errorMessage } from './error-message.ts';

interface OperationsDefinition {
  name: string;
  schema: string;
  migrations: (new () => MigrationInterface)[];
  /** All settings of the service and its operations, for `config`. */
  settings: Settings;
  /** Variables with the URLs of runtime roles, for `database prepare`. */
  runtimeUrlVariables: string[];
}

/** Creates the operations commands of every service: `migrate`, `database prepare` and `config`. A service adds its own. */
export function createOperations(definition: OperationsDefinition): Command {
  const { name, schema, migrations } = definition;
  const program = new Command(name).description(`Operations of ${name}`).showHelpAfterError();

  program
    .command('migrate')
    .description('run the pending migrations (OWNER_DATABASE_URL)')
    .action(async () => {
      const { OWNER_DATABASE_URL: url, LOG_LEVEL: level } = readSettings(
        { ...operationsSettings, LOG_LEVEL: serviceSettings.LOG_LEVEL },
        process.env,
      );
      const { createLogger } = await import('../logging/logger.ts');
      await migrate({ url, schema, migrations, logger: createLogger(name, level) });
    });

  program
    .command('database')
    .description('manage the service’s schema and roles')
    .command('prepare')
    .description(
      `create or update the schema and its roles, as an administrator (ADMINISTRATOR_DATABASE_URL); names and passwords come from ` +
        `${['OWNER_DATABASE_URL', ...definition.runtimeUrlVariables].join(', ')}`,
    )
    .action(async () => {
      const urls = readSettings(
        {
          ADMINISTRATOR_DATABASE_URL: setting.postgresUrl(
            'the URL of a role that may create roles and schemas',
          ),
          ...operationsSettings,
          ...Object.fromEntries(
            definition.runtimeUrlVariables.map((variable) => [
              variable,
              setting.postgresUrl('the URL of a runtime role'),
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
      });
    });

  program
    .command('config')
    .description('list every setting with its accepted values')
    .option('--json', 'print JSON')
    // A program may have the option itself.
    .action((_options: object, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      const variables = Object.entries(definition.settings).map(([variable, schema]) => ({
        variable,
        accepts: describeSetting(schema),
      }));
      process.stdout.write(
        json
          ? `${JSON.stringify(variables, null, 2)}\n`
          : variables.map(({ variable, accepts }) => `${variable}\n    ${accepts}\n`).join(''),
      );
    });

  return program;
}

/** Runs the command line of a service's `cli.ts`. On an error, prints its message and exits with code 1 or the error's own. */
export async function runOperations(program: Command): Promise<void> {
  process.stdout.on('error', exitOnClosedPipe);
  try {
    await program.parseAsync();
  } catch (error) {
    process.stderr.write(`${program.name()}: ${errorMessage(error)}\n`);
    process.exit(error instanceof IncompatibleSchema ? IncompatibleSchema.EXIT_CODE : 1);
  }
}

/** Exits without an error when the reader of a pipe (`| head`) has closed it. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
