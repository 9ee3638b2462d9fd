import { Command, InvalidArgumentError, Option } from 'commander';

export const CASES = ['reads', 'growth', 'imports'] as const;
export type Case = (typeof CASES)[number];

export interface Size {
  alerts: number;
  gpus: number;
  days: number;
}

export interface Options {
  size: Size;
  cases: readonly Case[];
  seconds: number;
  rounds: number;
  /** Another checkout of the project. */
  against: string | undefined;
}

/** Parses the command line. Prints an error, or the help, and exits. */
export function readOptions(args: string[]): Options {
  const { alerts, gpus, days, only, seconds, rounds, against } = new Command('npm run bench --')
    .description(
      `Measures fleet-api on this machine: requests and imports per second, response times, CPU time and memory. Requests are compared
with a hand-written route and an ORM baseline on the same database, which is kept in .local/benchmarks.`,
    )
    .option('--alerts <n>', 'alerts of the data set', integerFrom(3_000, 1_000_000_000), 1_000_000)
    .option('--gpus <n>', 'GPUs of the data set', integerFrom(8, 100_000), 1_000)
    // The importer rejects older data.
    .option('--days <n>', 'days of the data set', integerFrom(1, 365), 90)
    .addOption(
      new Option('--only <cases>', `some of ${CASES.join(',')} (growth: on a tenth of the alerts)`)
        .argParser(casesFrom)
        .default(CASES, 'all'),
    )
    .option('--seconds <n>', 'duration of a measurement', integerFrom(1, 3_600), 2)
    .option('--rounds <n>', 'alternating rounds, of which medians are printed', integerFrom(1, 1_000), 5)
    .option('--against <folder>', 'another checkout with its packages and its build, to compare with')
    .parse(args, { from: 'user' })
    .opts<Size & Omit<Options, 'size' | 'cases'> & { only: readonly Case[] }>();
  return { size: { alerts, gpus, days }, cases: only, seconds, rounds, against };
}

function casesFrom(text: string): readonly Case[] {
  const cases = text.split(',') as Case[];
  if (cases.every((name) => CASES.includes(name))) return cases;
  throw new InvalidArgumentError(`It accepts ${CASES.join(', ')}.`);
}

function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
  };
}
