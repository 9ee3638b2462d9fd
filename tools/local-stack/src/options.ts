import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_PORT_BASE, LARGEST_PORT_BASE } from './ports.ts';
import { root } from './root.ts';

/** The demo fleet as far as it can be chosen; the rest is the simulator's. */
export interface FleetSize {
  seed: number;
  hosts: number;
  gpus: number;
  alerts: number;
  days: number;
}

export interface StackOptions {
  portBase: number;
  dataDirectory: string;
  /** An administrator of a PostgreSQL server, in place of the embedded one. */
  databaseUrl?: string;
  demo: boolean;
  /** What the caller asked for; what is left out is `defaultFleet`'s, or what the data directory holds already. */
  fleet: Partial<FleetSize>;
  /** The live feed changes the state of existing alerts too. */
  liveStates: boolean;
  rateLimits: boolean;
  reset: boolean;
}

/** 20,000 alerts and 512 GPUs over 90 days: what a page of a real fleet looks like. */
export const defaultFleet: FleetSize = { seed: 1, hosts: 64, gpus: 512, alerts: 20_000, days: 90 };

/**
 * Reads the command line, then the environment. A fault is one line on standard error and exit code 1; `--help` ends
 * the process too.
 */
export function readOptions(args: string[]): StackOptions {
  const program = startCommand();
  forgetEmptyVariables(program);
  readFlagVariables(program);
  program.parse(args, { from: 'user' });

  const values = program.opts<Omit<StackOptions, 'fleet'> & Partial<FleetSize>>();
  const { seed, hosts, gpus, alerts, days, ...options } = values;
  const fleet = Object.fromEntries(
    Object.entries({ seed, hosts, gpus, alerts, days }).filter(([, value]) => value !== undefined),
  ) as Partial<FleetSize>;
  if (gpus !== undefined && hosts !== undefined && gpus < hosts) {
    program.error(`error: ${hosts} --hosts need at least as many --gpus, not ${gpus}`);
  }
  return { ...options, fleet };
}

/** The variables that a start reads. */
export function stackVariables(): string[] {
  return startCommand().options.flatMap(({ envVar }) => envVar ?? []);
}

function startCommand(): Command {
  return new Command('npm start --')
    .description(
      'Runs the whole service on this machine: database, services, sign-in, a simulated fleet, a page.',
    )
    .addOption(
      new Option('--port-base <port>', `first of the ports; the example page has it, the others follow`)
        .env('OBSERVATORY_PORT_BASE')
        .default(DEFAULT_PORT_BASE)
        .argParser(integerFrom(1, LARGEST_PORT_BASE)),
    )
    .addOption(dataDirectoryOption())
    .addOption(
      new Option('--database-url <url>', 'administrator of a PostgreSQL to use instead of the embedded one')
        .env('DATABASE_URL')
        .argParser(postgresUrl),
    )
    .addOption(fleetOption('seed', 'which fleet is simulated', 0, 0x7fff_ffff))
    .addOption(fleetOption('hosts', 'its hosts', 1, 100_000))
    .addOption(fleetOption('gpus', 'its GPUs, over all hosts', 1, 1_000_000))
    .addOption(fleetOption('alerts', 'its alerts, over all its history', 0, 10_000_000))
    .addOption(fleetOption('days', 'how long its history is', 2, 3_650))
    .addOption(new Option('--no-demo', 'no simulated fleet').env('OBSERVATORY_NO_DEMO'))
    .addOption(flagOption('live-states', 'the live feed changes the state of alerts too'))
    .addOption(flagOption('rate-limits', 'limit requests as in production'))
    .addOption(flagOption('reset', 'delete the data of earlier starts first'))
    .addHelpText('after', '\nA flag without a value takes true or false from its variable.');
}

/** For every command that works on a data directory. */
export function dataDirectoryOption(): Option {
  return new Option('--data-directory <path>', 'where everything is kept')
    .env('OBSERVATORY_DATA_DIRECTORY')
    .default(join(root, '.local'), '.local in the clone')
    .argParser(pathFromCaller);
}

/** A relative path is meant from where the person called npm, which runs us in the clone's root. */
export function pathFromCaller(path: string): string {
  if (path === '') throw new InvalidArgumentError('It should be a path.');
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

function fleetOption(name: keyof FleetSize, what: string, min: number, max: number): Option {
  return new Option(`--${name} <n>`, `${what} (default: ${defaultFleet[name]})`)
    .env(variableOf(name))
    .argParser(integerFrom(min, max));
}

function flagOption(name: string, what: string): Option {
  return new Option(`--${name}`, what).env(variableOf(name)).default(false);
}

function variableOf(option: string): string {
  return `OBSERVATORY_${option.toUpperCase().replaceAll('-', '_')}`;
}

function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It should be an integer from ${min} to ${max}.`);
  };
}

function postgresUrl(text: string): string {
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) && new URL(text).hostname)
    return text;
  throw new InvalidArgumentError('It should be a URL such as postgres://role:password@host:5432/postgres.');
}

/** An empty variable counts as missing. To be called before the program reads its options. */
export function forgetEmptyVariables({ options }: Command): void {
  for (const { envVar } of options) if (envVar && process.env[envVar] === '') delete process.env[envVar];
}

/** To commander a flag whose variable is set counts as given, whatever the variable says. */
function readFlagVariables(program: Command): void {
  for (const { envVar, required, long } of program.options) {
    if (!envVar || required) continue;
    const value = process.env[envVar];
    if (value === undefined || value === 'true') continue;
    if (value !== 'false')
      program.error(`error: ${envVar} is '${value}': it should be true or false, as for ${long}`);
    delete process.env[envVar];
  }
}
