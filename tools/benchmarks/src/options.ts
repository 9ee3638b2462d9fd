import { parseArgs } from 'node:util';

export const CASES = ['reads', 'growth', 'imports'] as const;
export type Case = (typeof CASES)[number];

export const USAGE = `npm run bench -- [--alerts N] [--gpus N] [--days N] [--only CASES] [--seconds N] [--rounds N] [--against FOLDER]

Measures fleet-api on this machine: requests and imports per second, response times, CPU time and memory. Requests are compared
with a hand-written route and an ORM baseline on the same database.

  --alerts, --gpus, --days
               size of the data set (default 1000000, 1000, 90); it is kept in .local/benchmarks
  --only       cases, separated by commas (default all): reads; growth, the same requests on a tenth of the alerts; imports
  --seconds    duration of a measurement (default 2)
  --rounds     alternating rounds, of which medians are printed (default 5)
  --against    folder of another checkout of the project, with its packages and its build, whose fleet-api is compared`;

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

/** @throws {Error} that names the invalid option and what it accepts */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      alerts: { type: 'string', default: '1000000' },
      gpus: { type: 'string', default: '1000' },
      days: { type: 'string', default: '90' },
      only: { type: 'string', default: CASES.join(',') },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      against: { type: 'string' },
    },
  });
  const cases = values.only.split(',');
  const unknown = cases.find((name) => !CASES.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`--only accepts ${CASES.join(', ')}, got "${unknown}".`);
  return {
    size: {
      alerts: integer('alerts', values.alerts, 3_000, 1_000_000_000),
      gpus: integer('gpus', values.gpus, 8, 100_000),
      // The importer rejects older data.
      days: integer('days', values.days, 1, 365),
    },
    cases: cases as Case[],
    seconds: integer('seconds', values.seconds, 1, 3_600),
    rounds: integer('rounds', values.rounds, 1, 1_000),
    against: values.against,
  };
}

function integer(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`--${name} must be an integer from ${min} to ${max}, got "${text}".`);
  return value;
}
