import { DAY_MS, parseTimestamp } from '@gpu-observatory/domain-types';
import { requireWindowOrder } from '../query-parameters/window-order.ts';
import { HALF_HOUR_MS, MAX_SERIES_BUCKETS } from '../../model/gpu-days/format.ts';

const DEFAULT_WINDOW_MS = DAY_MS;

/** A window of telemetry, widened to whole half hours, the unit of its rollups. */
export interface TelemetryWindow {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  /** Width of the buckets of a series, of which there are at most 48; a half hour belongs to the bucket it starts in. */
  bucketMs: number;
}

/**
 * Returns the window of a request, by default the last 24 hours. It includes the whole half hours at both ends.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`
 */
export function telemetryWindow(
  from: string | undefined,
  to: string | undefined,
  nowMs = Date.now(),
): TelemetryWindow {
  const milliseconds = (text: string | undefined) =>
    text === undefined ? undefined : (parseTimestamp(text) as Date).getTime();
  const requestedFromMs = milliseconds(from);
  const requestedToMs = milliseconds(to);
  requireWindowOrder({ text: from, ms: requestedFromMs }, { text: to, ms: requestedToMs });
  const endMs = requestedToMs ?? (requestedFromMs === undefined ? nowMs : Math.max(nowMs, requestedFromMs));
  const startMs = requestedFromMs ?? endMs - DEFAULT_WINDOW_MS;
  const fromMs = Math.floor(startMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  const empty = startMs === endMs && requestedToMs !== undefined;
  const toMs = empty ? fromMs : Math.ceil(endMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  return { fromMs, toMs, bucketMs: Math.max(HALF_HOUR_MS, (toMs - fromMs) / MAX_SERIES_BUCKETS) };
}
