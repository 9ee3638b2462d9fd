import { DAY_MS } from '@gpu-observatory/domain-types';
import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { type TelemetryParameters, telemetryParameters } from '../../model/gpu-days/read-telemetry.sql.ts';
import { requestedWindow } from '../query-parameters/requested-window.ts';

const DEFAULT_WINDOW_MS = DAY_MS;

/** A window of telemetry, widened to whole half hours, the unit of its rollups. */
export interface TelemetryWindow {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

/** Parameters of a statement that reads a window of telemetry and of events. */
export interface WindowParameters extends TelemetryParameters {
  from: Date;
  to: Date;
}

export function windowParameters(window: TelemetryWindow): WindowParameters {
  return { ...telemetryParameters(window), from: new Date(window.fromMs), to: new Date(window.toMs) };
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
  const { startMs, endMs, hasEqualEnds } = requestedWindow(from, to, { defaultMs: DEFAULT_WINDOW_MS, nowMs });
  const fromMs = Math.floor(startMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  const toMs = hasEqualEnds ? fromMs : Math.ceil(endMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  return { fromMs, toMs };
}
