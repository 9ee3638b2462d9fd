import { DAY_MS, parseTimestamp } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import { HALF_HOUR_MS, MAX_SERIES_BUCKETS } from '../../model/gpu-days/format.ts';

const DEFAULT_WINDOW_MS = DAY_MS;

/** A window of telemetry, widened to the half hours that its rollups are kept in. */
export interface TelemetryWindow {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  /** The width of a series' buckets, so that there are at most 48; a half hour is in the one that it begins in. */
  bucketMs: number;
}

/**
 * The window of a request, by default the last 24 hours. What the half hours at its edges hold beyond it counts too:
 * nothing of the window is lost.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`
 */
export function telemetryWindow(
  from: string | undefined,
  to: string | undefined,
  nowMs = Date.now(),
): TelemetryWindow {
  const given = (text: string | undefined) =>
    text === undefined ? undefined : (parseTimestamp(text) as Date).getTime();
  const fromGiven = given(from);
  const toGiven = given(to);
  const endMs = toGiven ?? (fromGiven === undefined ? nowMs : Math.max(nowMs, fromGiven));
  if (fromGiven !== undefined && fromGiven > endMs) {
    throw new DomainError(fleetErrors.invalidQuery, 'from should not be later than to.');
  }
  const beginMs = fromGiven ?? endMs - DEFAULT_WINDOW_MS;
  const fromMs = Math.floor(beginMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  const empty = beginMs === endMs && toGiven !== undefined;
  const toMs = empty ? fromMs : Math.ceil(endMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  return { fromMs, toMs, bucketMs: Math.max(HALF_HOUR_MS, (toMs - fromMs) / MAX_SERIES_BUCKETS) };
}
