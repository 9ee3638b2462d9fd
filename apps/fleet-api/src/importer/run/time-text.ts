/** Smaller numbers are seconds since boot, others are times since the epoch. */
const MIN_EPOCH_SECONDS = 1e9;
/** Units of times since the epoch, by the size of the number, with their length in microseconds. */
const UNITS = [
  { below: 1e11, microseconds: 1e6 }, // seconds
  { below: 1e14, microseconds: 1e3 }, // milliseconds
  { below: 1e17, microseconds: 1 }, // microseconds
  { below: 1e20, microseconds: 1e-3 }, // nanoseconds
];

/** Converts a time of any log collector to a text with a clock, or to seconds since boot in brackets; null for other values. */
export function timeText(value: unknown): string | null {
  const number = typeof value === 'number' || /^\d+(?:\.\d+)?$/.test(String(value)) ? Number(value) : NaN;
  if (Number.isNaN(number)) return typeof value === 'string' && /\d:\d{2}/.test(value) ? value : null;
  if (number < MIN_EPOCH_SECONDS) return number < 0 ? null : `[${number.toFixed(6)}]`;
  const unit = UNITS.find(({ below }) => number < below);
  if (unit === undefined) return null;
  const microseconds = Math.round(number * unit.microseconds);
  const inMilliseconds = new Date(Math.floor(microseconds / 1_000)).toISOString();
  return inMilliseconds.replace('Z', `${String(microseconds % 1_000).padStart(3, '0')}Z`);
}
