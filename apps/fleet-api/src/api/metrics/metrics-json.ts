import { concatenate } from '@gpu-observatory/service-runtime';
import { freeBlock, takeBlock } from '@gpu-observatory/service-runtime/process';
import { Series } from './fleet-metrics.ts';
import { daysOf, type MetricsWindow } from './metrics-window.ts';

/** Placeholder of a series during serialization. No other string of the metrics is empty or ends with a quote. */
const PLACEHOLDER = '';
/** Length of the longest number in JSON, such as `-0.0000012345678901234567`. */
const MAX_NUMBER_BYTES = 25;

/**
 * Returns the metrics as JSON. The points of a series are written as `{"date":"Nov 21","value":1.5}`, which takes `JSON.stringify`
 * twice as long.
 *
 * @param metrics its names and texts are ASCII
 */
export async function metricsJson(metrics: object, window: MetricsWindow): Promise<Buffer> {
  const series: Series[] = [];
  const text = JSON.stringify({ metrics }, (_key, value: unknown) => {
    if (!(value instanceof Series)) return value;
    series.push(value);
    return PLACEHOLDER;
  });
  const prefixes = pointPrefixes(daysOf(window));
  const pointBytes = PREFIX_BYTES + MAX_NUMBER_BYTES + '}'.length;
  const block = takeBlock(text.length + series.length * ('[]'.length + prefixes.lengths.length * pointBytes));
  let end = 0;
  text.split(JSON.stringify(PLACEHOLDER)).forEach((part, i) => {
    end += block.write(part, end, 'latin1');
    if (i < series.length) end = writeSeries(block, end, series[i] as Series, prefixes);
  });
  const body = await concatenate([block.subarray(0, end)]);
  freeBlock(block);
  return body;
}

const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;
/** Length of `,{"date":"Nov 21","value":` in whole words. */
const PREFIX_BYTES = 7 * WORD_BYTES;

/** The texts of the points before their values, one per day, each padded to `PREFIX_BYTES`. */
interface PointPrefixes {
  bytes: DataView;
  /** Lengths without padding. */
  lengths: number[];
}

function pointPrefixes(dayStarts: readonly number[]): PointPrefixes {
  const texts = dayStarts.map((dayMs, i) => `${i === 0 ? '' : ','}{"date":"${dayLabel(dayMs)}","value":`);
  const bytes = Buffer.from(texts.map((text) => text.padEnd(PREFIX_BYTES)).join(''), 'latin1');
  return { bytes: viewOf(bytes), lengths: texts.map(({ length }) => length) };
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
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

/** Writes the points of a series and returns the end offset. Copying words takes two thirds of the time of single bytes. */
function writeSeries(block: Buffer, start: number, { values }: Series, prefixes: PointPrefixes): number {
  const view = viewOf(block);
  let at = start;
  block[at++] = ASCII.openingBracket;
  for (let day = 0; day < values.length; day += 1) {
    const prefix = day * PREFIX_BYTES;
    for (let n = 0; n < PREFIX_BYTES; n += WORD_BYTES)
      view.setUint32(at + n, prefixes.bytes.getUint32(prefix + n));
    // The value overwrites the padding.
    at = writeNumber(block, at + (prefixes.lengths[day] as number), values[day] as number | null);
    block[at++] = ASCII.closingBrace;
  }
  block[at++] = ASCII.closingBracket;
  return at;
}

const FRACTIONS = 10_000;
const MAX_WHOLE = 2 ** 31;

/**
 * Writes the text of `JSON.stringify` and returns the end offset. It is faster for numbers with at most four decimals: a decimal of at
 * most 15 digits round-trips through a double, so it is the shortest text.
 */
function writeNumber(block: Buffer, start: number, value: number | null): number {
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
