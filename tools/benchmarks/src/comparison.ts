import { formatTable } from './table.ts';

/** Lower limit of the speed relative to the reference, upper limit of the relative cost, lower limit of our own rate. */
type Limit = { speed: number } | { cost: number } | { rate: number } | { time: number };

/** Median and 99th percentile of response times, in ms. */
export interface Latency {
  p50: number;
  p99: number;
}

/** Two figures of the same run, and the required ratio between them. */
export interface Comparison {
  operation: string;
  /** Name of the reference. */
  against: string;
  ours: number;
  /** NaN without a reference. */
  theirs: number;
  /** Higher is better for `per second` and `% hits`, lower for the others. */
  unit: 'per second' | 'ms' | 'us CPU' | 'MB' | '% hits' | 'computed';
  /** Response times of ours, in ms, where requests were sent concurrently. */
  latency?: Latency | undefined;
  /** `time` is an upper limit of our own figure. */
  required: Limit | null;
}

export function compare(
  operation: string,
  [ours, theirs]: readonly [ours: number, theirs: number],
  unit: Comparison['unit'],
  against: string,
  required: Limit | null = null,
): Comparison {
  return { operation, against, ours, theirs, unit, required };
}

/** Compares a time in the database, in ms, with its upper limit. */
export function databaseTime(operation: string, ms: number, limit: number): Comparison {
  return compare(operation, [ms, NaN], 'ms', 'database time', { time: limit });
}

/** Returns the figure that must meet the limit. */
function measured({ ours, theirs, unit, required }: Comparison): number {
  if (isAbsolute(required)) return ours;
  const faster = unit === 'per second' ? ours / theirs : theirs / ours;
  return required && 'cost' in required ? 1 / faster : faster;
}

export function isMet(comparison: Comparison): boolean {
  const { required } = comparison;
  if (required === null) return true;
  const [limit] = Object.values(required) as [number];
  return isLowerLimit(required) ? measured(comparison) >= limit : measured(comparison) <= limit;
}

const isAbsolute = (required: Limit | null) =>
  required !== null && ('time' in required || 'rate' in required);
const isLowerLimit = (required: Limit) => 'speed' in required || 'rate' in required;

/** Formats a table. Ratios are comparable between machines, absolute figures are not. */
export function formatComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { operation, against, ours, theirs, unit, required, latency } = comparison;
    const shortUnit = unit === 'per second' ? '/s' : unit;
    return [
      ...[operation, against, figure(ours), Number.isNaN(theirs) ? '' : figure(theirs), shortUnit],
      latency === undefined ? '' : figure(latency.p50),
      latency === undefined ? '' : figure(latency.p99),
      isAbsolute(required) || Number.isNaN(theirs) ? '' : `${figure(measured(comparison))}x`,
      required === null ? '' : limitText(required, isAbsolute(required) ? ` ${shortUnit}` : 'x'),
      required === null ? '' : isMet(comparison) ? 'met' : 'NOT met',
    ];
  });
  const head = [
    'operation',
    'compared with',
    'ours',
    'theirs',
    '',
    'p50 ms',
    'p99 ms',
    'ratio',
    'required',
    '',
  ];
  return formatTable([head, ...rows], [2, 3, 5, 6, 7]);
}

function limitText(required: Limit, unit: string): string {
  const [limit] = Object.values(required) as [number];
  return `${isLowerLimit(required) ? '>=' : '<='} ${figure(limit)}${unit}`;
}

function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(value < 0.1 ? 1 : value < 10 ? 2 : 3).replace(/\.0+$/, '');
}
