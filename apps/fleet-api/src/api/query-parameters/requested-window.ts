import { DAY_MS, parseTimestamp } from '@gpu-observatory/domain-types';
import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';

const LONG_WINDOW_MS = 31 * DAY_MS;

/** Whether a read that grows with the window may take seconds: it counts as slow. */
export function isLongWindow({ fromMs, toMs }: { fromMs: number; toMs: number }): boolean {
  return toMs - fromMs > LONG_WINDOW_MS;
}

/**
 * Returns the times of `from` and `to`, in ms since the epoch; undefined where a request has none.
 *
 * @param finer whether digits after the millisecond are cut off or rounded up
 * @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window
 */
export function requestedTimes(
  from: string | undefined,
  to: string | undefined,
  finer: 'cut' | 'up' = 'cut',
): { fromMs: number | undefined; toMs: number | undefined } {
  const fromMs = parseTimestamp(from ?? '', finer)?.getTime();
  const toMs = parseTimestamp(to ?? '', finer)?.getTime();
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    throw new DomainError(
      fleetErrors.invalidQuery,
      `from (${echo(from ?? '')}) must not be later than to (${echo(to ?? '')}).`,
    );
  return { fromMs, toMs };
}

/** The window that a request asks for, before a resource widens or cuts it, in ms since the epoch. */
export interface RequestedWindow {
  startMs: number;
  endMs: number;
  /** Whether the request has an equal `from` and `to`: its window stays empty when a resource widens others. */
  hasEqualEnds: boolean;
}

/**
 * Returns the window of `from` and `to`. Without `to` it ends now, or at a `from` in the future. Without `from` it has the default
 * length.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`
 */
export function requestedWindow(
  from: string | undefined,
  to: string | undefined,
  { defaultMs, nowMs }: { defaultMs: number; nowMs: number },
): RequestedWindow {
  const { fromMs, toMs } = requestedTimes(from, to);
  const endMs = toMs ?? Math.max(nowMs, fromMs ?? nowMs);
  const hasEqualEnds = fromMs !== undefined && fromMs === toMs;
  return { startMs: fromMs ?? endMs - defaultMs, endMs, hasEqualEnds };
}
