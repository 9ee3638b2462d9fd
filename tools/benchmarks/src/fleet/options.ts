import { parseArgs } from 'node:util';
import type { CaseName } from './benchmark.ts';
import type { Size } from './data-set/size.ts';

export const USAGE = `bench fleet [--full] [--alerts N] [--gpus N] [--days N] [--only CASES] [--seconds N] [--rounds N] [--calls N]

  --full       10 million alerts instead of 1 million
  --alerts, --gpus, --days
               size of the data set; growth compares it with one of a tenth of the alerts
  --only       cases, separated by commas: pages, texts, counts, single, gpus, metrics, polls, cpu, tokens, neighbors,
               large-pages, live-imports, imports, growth (default all)
  --seconds    duration of each measurement (default 1)
  --rounds     measurements per figure, of which the best counts (default 3)
  --calls      number of calls where single calls are timed (default 40)`;

export interface FleetOptions {
  size: Size;
  seconds: number;
  rounds: number;
  calls: number;
  cases: readonly CaseName[];
}

/** @returns the options, or an error message */
export function fleetOptions(args: string[], known: readonly CaseName[]): FleetOptions | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        full: { type: 'boolean', default: false },
        alerts: { type: 'string' },
        gpus: { type: 'string', default: '10000' },
        days: { type: 'string', default: '90' },
        only: { type: 'string', default: known.join(',') },
        seconds: { type: 'string', default: '1' },
        rounds: { type: 'string', default: '3' },
        calls: { type: 'string', default: '40' },
      },
    });
    const cases = values.only.split(',') as CaseName[];
    const unknown = cases.find((name) => !known.includes(name));
    if (unknown !== undefined) return `Unknown case "${unknown}" in --only: use ${known.join(', ')}.`;
    return {
      size: {
        // With fewer, customer 1 has no full second page of 1,000, and some queries find nothing in a tenth of the alerts.
        alerts: integer('alerts', values.alerts ?? (values.full ? '10000000' : '1000000'), 3_000),
        gpus: integer('gpus', values.gpus, 2),
        // fleet-api creates no partitions for older data.
        days: integer('days', values.days, 1, 365),
      },
      seconds: integer('seconds', values.seconds, 1),
      rounds: integer('rounds', values.rounds, 1),
      calls: integer('calls', values.calls, 1),
      cases,
    };
  } catch (failure) {
    return (failure as Error).message;
  }
}

function integer(name: string, text: string, min: number, max = 1_000_000_000): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`--${name} must be an integer from ${min} to ${max}, got "${text}".`);
  }
  return value;
}
