import { parseTimestamp } from '@gpu-observatory/domain-types';
import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';

/** @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window */
export function requireWindowOrder(
  from: { text: string | undefined; ms: number | undefined },
  to: { text: string | undefined; ms: number | undefined },
): void {
  if (from.ms === undefined || to.ms === undefined || from.ms <= to.ms) return;
  throw new DomainError(
    fleetErrors.invalidQuery,
    `from (${echo(from.text ?? '')}) must not be later than to (${echo(to.text ?? '')}).`,
  );
}

/**
 * Returns the times of `from` and `to`, in ms since the epoch; undefined where a request has none.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`
 */
export function requestedTimes(
  from: string | undefined,
  to: string | undefined,
): { fromMs: number | undefined; toMs: number | undefined } {
  const fromMs = parseTimestamp(from ?? '')?.getTime();
  const toMs = parseTimestamp(to ?? '')?.getTime();
  requireWindowOrder({ text: from, ms: fromMs }, { text: to, ms: toMs });
  return { fromMs, toMs };
}

/** The window that a request asks for, before a resource widens or cuts it, in ms since the epoch. */
export interface RequestedWindow {
  startMs: number;
  endMs: number;
  /** Whether `from` and `to` are equal. */
  isEmpty: boolean;
}

/**
 * Returns the window of `from` and `to`. Without `to` it ends now, and without `from` it has the default length.
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
  return { startMs: fromMs ?? endMs - defaultMs, endMs, isEmpty: fromMs !== undefined && fromMs === toMs };
}
