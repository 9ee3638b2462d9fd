/** One figure beside another of the same run, and the bar that it is held against. */
export interface Comparison {
  operation: string;
  /** What it is compared with. */
  against: string;
  ours: number;
  theirs: number;
  /** `per second` is better high, `ms` low. */
  unit: 'per second' | 'ms';
  /** `speed`: how many times as fast; `cost`: how many times as dear; `time`: ours by itself, in ms. */
  bar: { kind: 'speed' | 'cost' | 'time'; limit: number } | null;
}

/** What is held against the bar. */
export function reached({ ours, theirs, unit, bar }: Comparison): number {
  if (bar?.kind === 'time') return ours;
  const faster = unit === 'ms' ? theirs / ours : ours / theirs;
  return bar?.kind === 'cost' ? 1 / faster : faster;
}

export function isMet(comparison: Comparison): boolean {
  const { bar } = comparison;
  if (bar === null) return true;
  return bar.kind === 'speed' ? reached(comparison) >= bar.limit : reached(comparison) <= bar.limit;
}

/** As a table for people. Ratios carry over to other machines; the figures themselves do not. */
export function describeComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { operation, against, ours, theirs, unit, bar } = comparison;
    const sign = bar?.kind === 'speed' ? '>=' : '<=';
    return [
      operation,
      against,
      figure(ours),
      Number.isNaN(theirs) ? '' : figure(theirs),
      unit === 'ms' ? 'ms' : '/s',
      bar?.kind === 'time' ? '' : `${figure(reached(comparison))}x`,
      bar === null ? '' : `${sign} ${figure(bar.limit)}${bar.kind === 'time' ? ' ms' : 'x'}`,
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
