import { DAY_MS } from '@gpu-observatory/domain-types';
import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { type TelemetryParameters, telemetryParameters } from '../../model/gpu-days/read-telemetry.sql.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { requestedWindow, widened, type WindowQuery } from '../query-parameters/requested-window.ts';

const DEFAULT_WINDOW_MS = DAY_MS;

/** Parameters of a statement that reads a window of telemetry and of events. */
export interface WindowParameters extends TelemetryParameters {
  from: Date;
  to: Date;
}

export function windowParameters(window: TimeWindow): WindowParameters {
  return { ...telemetryParameters(window), from: new Date(window.fromMs), to: new Date(window.toMs) };
}

/**
 * Returns the window of a request, by default the last 24 hours, widened to whole half hours, the unit of the rollups of telemetry.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`
 */
export function telemetryWindow(query: WindowQuery, nowMs = Date.now()): TimeWindow {
  return widened(requestedWindow(query, { defaultMs: DEFAULT_WINDOW_MS, nowMs }), HALF_HOUR_MS);
}
