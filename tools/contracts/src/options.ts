import { resolve } from 'node:path';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { SERVICE_FOLDERS, type ServiceName } from './document/openapi-document.ts';
import { RunError } from './run-error.ts';

export interface Options {
  service: ServiceName;
  baseUrl: string;
  tokenCommand?: string;
  origin?: string;
  frontendUrl?: string;
  write: boolean;
  junit?: string;
  /** Requests per route. Without it, the run checks the rules. */
  badInput?: number;
  seed?: number;
}

/**
 * Parses the command line. `--help` exits the process.
 *
 * @throws {RunError} for an invalid argument
 */
export function readOptions(args: string[]): Options {
  const command = new Command('npm run contract --')
    .description('Checks a deployment against its committed OpenAPI document and the rules of the contract.')
    .addArgument(new Argument('<service>', 'the service to check').choices(Object.keys(SERVICE_FOLDERS)))
    .requiredOption('--base-url <url>', 'URL of the deployment, such as https://fleet.example.com', httpUrl)
    .option(
      '--token-command <command>',
      'shell command that prints an access token; without it, rules that need one are skipped',
    )
    .option('--origin <origin>', 'a browser origin in ALLOWED_ORIGINS of the deployment', originOf)
    .option('--frontend-url <url>', "one of the account service's FRONTEND_URLS", httpUrl)
    .option('--write', 'also check what changes data: API keys, contact requests', false)
    .option('--junit <file>', 'also write the findings as JUnit XML', callerPath)
    .addOption(
      new Option('--bad-input <cases>', 'instead send this many malformed requests to each route').argParser(
        integerFrom(1),
      ),
    )
    .addOption(
      new Option('--seed <n>', 'seed of an earlier --bad-input run, to repeat it').argParser(integerFrom(0)),
    )
    .addHelpText(
      'after',
      '\nExit code 0: no rule failed. 1: a rule failed. 2: nothing was checked; standard error has the reason.',
    )
    .configureOutput({ writeErr: () => {} })
    .exitOverride();
  try {
    command.parse(args, { from: 'user' });
  } catch (failure) {
    if (!(failure instanceof CommanderError)) throw failure;
    if (failure.exitCode === 0) process.exit();
    throw new RunError(failure.message);
  }
  return { service: command.args[0] as ServiceName, ...command.opts<Omit<Options, 'service'>>() };
}

function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/$/, '');
  throw new InvalidArgumentError('It must be an HTTP URL such as https://fleet.example.com.');
}

function originOf(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new InvalidArgumentError('It must be scheme, host and port, such as https://app.example.com.');
}

/** Resolves a path against the directory where npm was called: npm runs this program in the root. */
function callerPath(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

function integerFrom(min: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
    throw new InvalidArgumentError(`It must be an integer of at least ${min}.`);
  };
}
