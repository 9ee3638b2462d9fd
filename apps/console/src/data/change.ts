import { formatMeasure, NO_DATA } from './format.ts';

/** Units whose zero is arbitrary or that are a share: their change is a difference, not a percentage. */
const DIFFERENCES: Record<string, string> = { '%': 'points', '°C': '°C', '°C/min': '°C/min' };

/** Returns `+12 %`, or the difference with its unit. */
export function changeText(
  now: number | null | undefined,
  before: number | null | undefined,
  unit = '',
): string {
  if (typeof now !== 'number' || typeof before !== 'number') return NO_DATA;
  const difference = now - before;
  if (difference === 0) return '±0';
  const sign = difference > 0 ? '+' : '−';
  const differenceUnit = DIFFERENCES[unit];
  // No reading is as precise.
  if ((unit === '%' || unit === '°C') && Math.abs(difference) < 0.05) return '±0';
  if (differenceUnit !== undefined) return `${sign}${formatMeasure(Math.abs(difference), differenceUnit)}`;
  if (before === 0) return `${sign}${formatMeasure(Math.abs(difference), unit)}`;
  const percent = (Math.abs(difference) / Math.abs(before)) * 100;
  return percent < 0.05 ? '±0' : `${sign}${formatMeasure(percent)} %`;
}
