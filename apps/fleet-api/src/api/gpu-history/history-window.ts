import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { TimeWindow } from '../../model/time-window.ts';
import { requestedWindow, widened, type WindowQuery } from '../query-parameters/requested-window.ts';

const DEFAULT_WINDOW_MS = DAY_MS;
/** Maximum number of steps of a window. */
const MAX_STEPS = 400;
/** Lengths of steps, shortest first. Longer steps are whole days. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 6, 12, 24].map((hours) => hours * HOUR_MS),
];

/** A window of whole steps. */
export interface HistoryWindow extends TimeWindow {
  stepMs: number;
}

/**
 * Returns the window of a request, by default the last 24 hours. Its steps are the shortest that divide it into at most 400. It includes
 * the whole steps at both ends.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`
 */
export function historyWindow(query: WindowQuery, nowMs = Date.now()): HistoryWindow {
  const requested = requestedWindow(query, { defaultMs: DEFAULT_WINDOW_MS, nowMs });
  // No sample is outside of these limits: a day is more than `MAX_FUTURE_MS` of the importer.
  const clamp = (ms: number) => Math.min(Math.max(ms, 0), nowMs + DAY_MS);
  const window = { fromMs: clamp(requested.fromMs), toMs: clamp(requested.toMs) };
  return inSteps(window, shortestStep(window));
}

/** Returns the window, widened to whole steps of this length. */
export function inSteps({ fromMs, toMs }: TimeWindow, stepMs: number): HistoryWindow {
  return { ...widened({ fromMs, toMs, isEmpty: fromMs === toMs }, stepMs), stepMs };
}

function shortestStep(window: TimeWindow): number {
  const fits = (stepMs: number) => {
    const { fromMs, toMs } = inSteps(window, stepMs);
    return (toMs - fromMs) / stepMs <= MAX_STEPS;
  };
  // Alignment to whole steps adds up to two steps.
  return STEPS_MS.find(fits) ?? Math.ceil((window.toMs - window.fromMs) / (MAX_STEPS - 2) / DAY_MS) * DAY_MS;
}
