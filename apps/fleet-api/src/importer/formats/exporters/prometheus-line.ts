import { END_OF_9999_MS } from '@gpu-observatory/domain-types';
import { type Labels, readLabels } from './labels.ts';
import { type LabelBlock, SeriesCache } from './series-cache.ts';

/** One sample line of the Prometheus text format. */
export interface PrometheusSample {
  name: string;
  labels: Labels;
  value: number;
  /** Timestamp of the line in ms since the epoch; null without one. */
  timestampMs: number | null;
}

/** Value, timestamp, and the exemplar that OpenMetrics allows after them. */
const REST = /[ \t]*([^ \t]+)(?:[ \t]+(-?\d+(?:\.\d+)?))?[ \t]*(?:#[^]*)?$/y;
const VALUE = /^[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i;
const NO_LABELS: LabelBlock = { text: '', labels: Object.create(null) as Labels };
/** Prometheus timestamps are in ms, those of OpenMetrics in s. Smaller values are seconds: as ms they would be before 1973. */
const MIN_MILLISECONDS = 1e11;

/**
 * Parses one line of the Prometheus text exposition format 0.0.4 or of OpenMetrics
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). Parsers on npm read whole scrapes and fail at the first
 * invalid line, while here an invalid line must not affect the others.
 *
 * @returns the sample, null for a comment or a blank line, or a fault
 */
export function parsePrometheusLine(
  text: string,
  cache = new SeriesCache(),
): PrometheusSample | { fault: string } | null {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return null;
  const name = cache.nameOf(line);
  if (name === undefined) return { fault: 'not a Prometheus sample: it must begin with a metric name' };
  const afterName = endOfBlanks(line, name.length);
  const hasLabels = line[afterName] === '{';
  if (!hasLabels && afterName === name.length) return { fault: 'the value is missing' };
  const block = hasLabels ? labelsAt(line, afterName, cache) : NO_LABELS;
  if ('fault' in block) return block;
  REST.lastIndex = afterName + block.text.length;
  const rest = REST.exec(line);
  if (!rest) return { fault: 'the value is missing, or is followed by something that is not a timestamp' };
  const [, value = '', timestamp] = rest;
  if (!VALUE.test(value)) return { fault: `the value is not a number: ${value.slice(0, 40)}` };
  const timestampMs = timestamp === undefined ? null : millisecondsOf(timestamp);
  if (timestampMs !== null && (timestampMs < 0 || timestampMs > END_OF_9999_MS))
    return { fault: `the timestamp is not a time: ${(timestamp as string).slice(0, 40)}` };
  return { name, labels: block.labels, value: numberOf(value), timestampMs };
}

function endOfBlanks(line: string, start: number): number {
  let end = start;
  while (line[end] === ' ' || line[end] === '\t') end += 1;
  return end;
}

/** @param start position of the opening brace */
function labelsAt(line: string, start: number, cache: SeriesCache): LabelBlock | { fault: string } {
  const known = cache.find(line, start);
  if (known !== undefined) return known;
  const read = readLabels(line, start + 1);
  return 'fault' in read ? read : cache.add(line.slice(start, read.end), read.labels);
}

function numberOf(value: string): number {
  const number = Number(value);
  return Number.isNaN(number) ? Number(value.replace(/inf(?:inity)?$/i, 'Infinity')) : number;
}

function millisecondsOf(timestamp: string): number {
  const value = Number(timestamp);
  const isInSeconds = timestamp.includes('.') || Math.abs(value) < MIN_MILLISECONDS;
  return Math.round(isInSeconds ? value * 1_000 : value);
}
