import { parseArgs } from 'node:util';
import type { CaseName } from './fleet.ts';
import type { Size } from './data-set/size.ts';

export const USAGE = `bench fleet [--full] [--alerts N] [--gpus N] [--days N] [--only CASES] [--seconds N] [--rounds N] [--calls N]

  --full       10 M alerts in place of 1 M
  --alerts, --gpus, --days
               another size; growth compares with a tenth of the alerts
  --only       of pages, counts, single, gpus, metrics, polls, tokens, imports, growth, separated by commas
  --seconds    for each figure of each contender (default 2)
  --rounds     how often, by turns; the best counts (default 3)
  --calls      of what is timed one by one (default 40)`;

export interface FleetOptions {
  size: Size;
  seconds: number;
  rounds: number;
  calls: number;
  cases: readonly CaseName[];
}

/** @returns what is wrong, when something is */
export function fleetOptions(words: string[], known: readonly CaseName[]): FleetOptions | string {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        full: { type: 'boolean', default: false },
        alerts: { type: 'string' },
        gpus: { type: 'string', default: '10000' },
        days: { type: 'string', default: '90' },
        only: { type: 'string', default: known.join(',') },
        seconds: { type: 'string', default: '2' },
        rounds: { type: 'string', default: '3' },
        calls: { type: 'string', default: '40' },
      },
    });
    const cases = values.only.split(',') as CaseName[];
    const unknown = cases.find((name) => !known.includes(name));
    if (unknown !== undefined) return `There is no case ${unknown}: use ${known.join(', ')}.`;
    return {
      size: {
        alerts: whole('alerts', values.alerts ?? (values.full ? '10000000' : '1000000'), 1_000),
        gpus: whole('gpus', values.gpus, 2),
        // Older data would be refused by the partitions that they need.
        days: whole('days', values.days, 1, 365),
      },
      seconds: whole('seconds', values.seconds, 1),
      rounds: whole('rounds', values.rounds, 1),
      calls: whole('calls', values.calls, 1),
      cases,
    };
  } catch (failure) {
    return (failure as Error).message;
  }
}

function whole(name: string, text: string, least: number, most = 1_000_000_000): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new Error(`--${name} should be a whole number from ${least} to ${most.toLocaleString('en')}.`);
  }
  return value;
}
