/** Two figures of the same run, and the required ratio between them. */
export interface Comparison {
  operation: string;
  /** Name of the reference. */
  against: string;
  ours: number;
  theirs: number;
  /** Higher is better for `per second`, lower for the others. */
  unit: 'per second' | 'ms' | 'MB';
  /**
   * Lower limit of the speed relative to the reference, upper limit of the relative cost, lower limit of our own rate per
   * second, or upper limit of our own time in ms.
   */
  required: { kind: 'speed' | 'cost' | 'rate' | 'time'; limit: number } | null;
}

/** Compares a time in the database, in ms, with its upper limit. */
export function databaseTime(operation: string, ms: number, limit: number): Comparison {
  return {
    operation,
    against: 'database time',
    ours: ms,
    theirs: NaN,
    unit: 'ms',
    required: { kind: 'time', limit },
  };
}

/** Returns the figure that must meet the limit. */
function measured({ ours, theirs, unit, required }: Comparison): number {
  if (isAbsolute(required)) return ours;
  const faster = unit === 'per second' ? ours / theirs : theirs / ours;
  return required?.kind === 'cost' ? 1 / faster : faster;
}

export function isMet(comparison: Comparison): boolean {
  const { required } = comparison;
  if (required === null) return true;
  return isLowerLimit(required)
    ? measured(comparison) >= required.limit
    : measured(comparison) <= required.limit;
}

function isAbsolute(required: Comparison['required']): boolean {
  return required?.kind === 'time' || required?.kind === 'rate';
}

function isLowerLimit(required: Comparison['required']): boolean {
  return required?.kind === 'speed' || required?.kind === 'rate';
}

/** Formats a table. Ratios are comparable between machines, absolute figures are not. */
export function formatComparisons(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { operation, against, ours, theirs, unit, required } = comparison;
    const sign = isLowerLimit(required) ? '>=' : '<=';
    const limitUnit = required?.kind === 'time' ? ' ms' : required?.kind === 'rate' ? ' /s' : 'x';
    return [
      operation,
      against,
      figure(ours),
      Number.isNaN(theirs) ? '' : figure(theirs),
      unit === 'per second' ? '/s' : unit,
      isAbsolute(required) ? '' : `${figure(measured(comparison))}x`,
      required === null ? '' : `${sign} ${figure(required.limit)}${limitUnit}`,
      required === null ? '' : isMet(comparison) ? 'met' : 'NOT met',
    ];
  });
  const table = [['operation', 'compared with', 'ours', 'theirs', '', 'ratio', 'required', ''], ...rows];
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
