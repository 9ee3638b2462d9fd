import { resolve } from 'node:path';
import { defaultFleet, fleetRanges, type FleetSize } from '@gpu-observatory/fleet-simulator/options';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_DATA_DIRECTORY } from './data-directory.ts';
import { DEFAULT_PORT_BASE, FRONTEND_PORTS, LARGEST_PORT_BASE } from './ports.ts';

export interface StackOptions {
  portBase: number;
  dataDirectory: string;
  /** URL of an administrator of a PostgreSQL server to use instead of the embedded one. */
  databaseUrl?: string;
  /** Origins of other frontends that may sign users in. */
  frontendOrigin: string[];
  demo: boolean;
  /** Requested parameters. The others come from the existing fleet or from `defaultFleet`. */
  fleet: Partial<FleetSize>;
  rateLimits: boolean;
  /** Serves the console and the services with TLS. */
  https: boolean;
  reset: boolean;
}

/**
 * Reads the options from the command line, two of them also from the environment. On an error it prints one line and exits with code 1;
 * `--help` exits too.
 */
export function readOptions(args: string[]): StackOptions {
  const program = startCommand();
  ignoreEmptyVariables(program);
  program.parse(args, { from: 'user' });

  const values = program.opts<Omit<StackOptions, 'fleet'> & Partial<FleetSize>>();
  const { seed, hosts, gpus, alerts, days, ...options } = values;
  const fleet = Object.fromEntries(
    Object.entries({ seed, hosts, gpus, alerts, days }).filter(([, value]) => value !== undefined),
  ) as Partial<FleetSize>;
  if (gpus !== undefined && hosts !== undefined && gpus < hosts) {
    program.error(`error: --gpus must be at least --hosts (${hosts}), got ${gpus}`);
  }
  return { ...options, fleet };
}

export function startCommand(): Command {
  return new Command('npm start --')
    .description(
      'Run GPU Observatory on this machine: database, services, identity provider, simulated fleet and console.',
    )
    .addOption(
      new Option('--port-base <port>', 'port of the console; all other ports follow it')
        .default(DEFAULT_PORT_BASE)
        .argParser(integerFrom(1, LARGEST_PORT_BASE)),
    )
    .addOption(dataDirectoryOption())
    .addOption(
      new Option(
        '--database-url <url>',
        'administrator of a PostgreSQL server to use instead of the embedded one',
      )
        .env('DATABASE_URL')
        .argParser(postgresUrl),
    )
    .addOption(
      new Option(
        '--frontend-origin <url>',
        'origin of your own frontend, such as http://localhost:8080; repeat it for several',
      )
        .default([], `ports ${FRONTEND_PORTS.join(', ')} of localhost`)
        .argParser(originList),
    )
    .addOption(fleetOption('seed', 'random seed of the simulated fleet'))
    .addOption(fleetOption('hosts', 'number of simulated hosts'))
    .addOption(fleetOption('gpus', 'number of GPUs, over all hosts'))
    .addOption(fleetOption('alerts', 'number of alerts, over the whole history'))
    .addOption(fleetOption('days', 'length of the history in days'))
    .option('--no-demo', 'start without a simulated fleet')
    .option('--rate-limits', 'limit requests as in production', false)
    .option('--https', 'serve the console and the APIs over https, for Safari', false)
    .option('--reset', 'delete the existing data first', false);
}

/** The option --data-directory of all commands. */
export function dataDirectoryOption(): Option {
  return new Option('--data-directory <path>', 'folder of all data')
    .env('OBSERVATORY_DATA_DIRECTORY')
    .default(DEFAULT_DATA_DIRECTORY, '.local in the repository')
    .argParser(pathFromCaller);
}

/** Resolves a path relative to the directory in which npm was called; npm runs this program in the repository root. */
function pathFromCaller(path: string): string {
  if (path === '') throw new InvalidArgumentError('It must be a path.');
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

function fleetOption(name: keyof FleetSize, what: string): Option {
  return new Option(`--${name} <n>`, `${what} (default: ${defaultFleet[name]})`).argParser(
    integerFrom(...fleetRanges[name]),
  );
}

function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
  };
}

function postgresUrl(text: string): string {
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) && new URL(text).hostname)
    return text;
  throw new InvalidArgumentError('It must be a URL such as postgres://role:password@host:5432/postgres.');
}

/** Adds an origin to the origins of earlier options. */
function originList(origin: string, previous: string[]): string[] {
  if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin)
    return [...previous, origin];
  throw new InvalidArgumentError('It must be a scheme, host and port such as http://localhost:8080.');
}

/** Removes empty variables, which count as missing. Call it before the program reads its options. */
export function ignoreEmptyVariables({ options }: Command): void {
  for (const { envVar } of options) if (envVar && process.env[envVar] === '') delete process.env[envVar];
}
