import { allocateBody, freeBlock, takeBlock } from '@gpu-observatory/service-runtime';
import { daysOf, type MetricsWindow } from './metrics-window.ts';

/** A list of points with the value of each day, null without samples. */
export class Series {
  constructor(readonly values: readonly (number | null)[]) {}
}

/** Stands for a series while the rest is serialized. No other string of the metrics is empty. */
const PLACEHOLDER = '';
/** Length of the longest number in JSON, such as `-1.2345678901234567e+100`. */
const MAX_NUMBER_BYTES = 24;

/**
 * Returns the metrics as JSON. The points of a series are written as `{"date":"Nov 21","value":1.5}`, which takes `JSON.stringify`
 * twice as long.
 */
export function metricsJson(metrics: object, window: MetricsWindow): Buffer {
  const series: Series[] = [];
  const text = JSON.stringify({ metrics }, (_key, value: unknown) => {
    if (!(value instanceof Series)) return value;
    series.push(value);
    return PLACEHOLDER;
  });
  const points = pointsBeforeValues(daysOf(window));
  const seriesBytes =
    '[]'.length + points.bytes.length + points.ends.length * (MAX_NUMBER_BYTES + '}'.length);
  const block = takeBlock(text.length + series.length * seriesBytes);
  let end = 0;
  text.split(JSON.stringify(PLACEHOLDER)).forEach((part, i) => {
    end += block.write(part, end, 'latin1');
    if (i < series.length) end = writeSeries(block, end, series[i] as Series, points);
  });
  const body = allocateBody(end);
  block.copy(body, 0, 0, end);
  freeBlock(block);
  return body;
}

/** The text of each point before its value, and where it ends. */
interface PointsBeforeValues {
  bytes: Buffer;
  ends: number[];
}

function pointsBeforeValues(dayStarts: readonly number[]): PointsBeforeValues {
  const texts = dayStarts.map((dayMs, i) => `${i === 0 ? '' : ','}{"date":"${dayLabel(dayMs)}","value":`);
  let end = 0;
  return { bytes: Buffer.from(texts.join(''), 'latin1'), ends: texts.map(({ length }) => (end += length)) };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayLabel(dayMs: number): string {
  const day = new Date(dayMs);
  return `${MONTHS[day.getUTCMonth()] as string} ${day.getUTCDate()}`;
}

const ASCII = {
  openingBracket: 0x5b,
  closingBracket: 0x5d,
  closingBrace: 0x7d,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
};

/** Returns where the text ends. */
function writeSeries(block: Buffer, start: number, { values }: Series, points: PointsBeforeValues): number {
  const { bytes, ends } = points;
  let at = start;
  let next = 0;
  block[at++] = ASCII.openingBracket;
  for (let day = 0; day < values.length; day += 1) {
    const end = ends[day] as number;
    // Faster than a call of `copy` for each point.
    while (next < end) block[at++] = bytes[next++] as number;
    at = writeNumber(block, at, values[day] as number | null);
    block[at++] = ASCII.closingBrace;
  }
  block[at++] = ASCII.closingBracket;
  return at;
}

const FRACTIONS = 10_000;
const MAX_WHOLE = 2 ** 31;

/**
 * Writes the same text as `JSON.stringify`, faster for numbers with at most four decimals: with at most 15 digits, the shortest text
 * that represents a number is its decimal one. Returns where the text ends.
 */
export function writeNumber(block: Buffer, start: number, value: number | null): number {
  const absolute = Math.abs(value ?? NaN);
  const scaled = Math.round(absolute * FRACTIONS);
  if (!(scaled < MAX_WHOLE * FRACTIONS) || scaled / FRACTIONS !== absolute) {
    return start + block.write(JSON.stringify(value), start, 'latin1');
  }
  let at = start;
  if ((value as number) < 0) block[at++] = ASCII.minus;
  const whole = Math.floor(scaled / FRACTIONS) | 0;
  at = writeWhole(block, at, whole);
  let fraction = (scaled - whole * FRACTIONS) | 0;
  if (fraction === 0) return at;
  block[at++] = ASCII.point;
  for (let unit = FRACTIONS / 10; fraction > 0; unit = (unit / 10) | 0) {
    const digit = (fraction / unit) | 0;
    block[at++] = ASCII.zero + digit;
    fraction -= digit * unit;
  }
  return at;
}

function writeWhole(block: Buffer, start: number, whole: number): number {
  let end = start + 1;
  for (let rest = whole; rest >= 10; rest = (rest / 10) | 0) end += 1;
  let rest = whole;
  for (let at = end - 1; at >= start; at -= 1) {
    const quotient = (rest / 10) | 0;
    block[at] = ASCII.zero + rest - quotient * 10;
    rest = quotient;
  }
  return end;
}
