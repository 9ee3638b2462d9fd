import { formatMeasure, NO_DATA } from './format.ts';

/** Returns `+12 %`; points of a percentage, and a difference from zero, are numbers with their unit. */
export function changeText(
  now: number | null | undefined,
  before: number | null | undefined,
  unit = '',
): string {
  if (typeof now !== 'number' || typeof before !== 'number') return NO_DATA;
  const difference = now - before;
  if (difference === 0) return '±0';
  const sign = difference > 0 ? '+' : '−';
  if (unit === '%') return `${sign}${formatMeasure(Math.abs(difference))} points`;
  if (before === 0) return `${sign}${formatMeasure(Math.abs(difference), unit)}`;
  const percent = (Math.abs(difference) / Math.abs(before)) * 100;
  return percent < 0.05 ? '±0' : `${sign}${formatMeasure(percent)} %`;
}
