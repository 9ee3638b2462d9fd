/** One figure beside another of the same run, and the bar that it is held against. */
export interface Comparison {
  operation: string;
  /** What it is compared with. */
  against: string;
  ours: number;
  theirs: number;
  /** `per second` is better high, the others low. */
  unit: 'per second' | 'ms' | 'MB';
  /**
   * `speed`: how many times as fast; `cost`: how many times as dear; `rate` and `time`: ours by itself, per second and in
   * ms.
   */
  bar: { kind: 'speed' | 'cost' | 'rate' | 'time'; limit: number } | null;
}

/** What is held against the bar. */
export function reached({ ours, theirs, unit, bar }: Comparison): number {
  if (isOfOurs(bar)) return ours;
  const faster = unit === 'per second' ? ours / theirs : theirs / ours;
  return bar?.kind === 'cost' ? 1 / faster : faster;
}

export function isMet(comparison: Comparison): boolean {
  const { bar } = comparison;
  if (bar === null) return true;
  return isAtLeast(bar) ? reached(comparison) >= bar.limit : reached(comparison) <= bar.limit;
}

function isOfOurs(bar: Comparison['bar']): boolean {
  return bar?.kind === 'time' || bar?.kind === 'rate';
}

function isAtLeast(bar: Comparison['bar']): boolean {
  return bar?.kind === 'speed' || bar?.kind === 'rate';
}

/** As a table for people. Ratios carry over to other machines; the figures themselves do not. */
export function describeComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { operation, against, ours, theirs, unit, bar } = comparison;
    const sign = isAtLeast(bar) ? '>=' : '<=';
    const unitOfBar = bar?.kind === 'time' ? ' ms' : bar?.kind === 'rate' ? ' /s' : 'x';
    return [
      operation,
      against,
      figure(ours),
      Number.isNaN(theirs) ? '' : figure(theirs),
      unit === 'per second' ? '/s' : unit,
      isOfOurs(bar) ? '' : `${figure(reached(comparison))}x`,
      bar === null ? '' : `${sign} ${figure(bar.limit)}${unitOfBar}`,
      bar === null ? '' : isMet(comparison) ? 'met' : 'NOT met',
    ];
  });
  const table = [['operation', 'against', 'ours', 'theirs', '', 'ratio', 'bar', ''], ...rows];
  const widths = (table[0] as string[]).map((_head, column) =>
    Math.max(...table.map((row) => (row[column] as string).length)),
  );
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          [2, 3, 5].includes(column)
            ? cell.padStart(widths[column] as number)
            : cell.padEnd(widths[column] as number),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function figure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(value < 0.1 ? 1 : value < 10 ? 2 : 3).replace(/\.0+$/, '');
}
