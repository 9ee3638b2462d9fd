import { createContext, use, useSyncExternalStore } from 'react';
import { formatDateTime, formatExact, formatRelative, type TimeZone, zoneName } from '../data/format.ts';

export const TimeZoneContext = createContext<TimeZone>('local');

/** One clock for all relative times, so that they change together. */
const TICK_MS = 10_000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      listeners.forEach((notify) => notify());
    }, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The current time in ms since the epoch, updated every 10 s. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

interface TimeProps {
  iso: string;
  /** Shows the exact time, with the relative one on hover. */
  exact?: boolean;
  /** Shows hours and minutes only, for times of the last day. */
  clock?: boolean;
}

/** A relative time with the exact one on hover. */
export function Time({ iso, exact = false, clock = false }: TimeProps) {
  const zone = use(TimeZoneContext);
  const nowMs = useNow();
  const ms = Date.parse(iso);
  // The clock is up to a tick late: a time since its last tick is "now", not in the future.
  const referenceMs = Math.max(nowMs, Date.now() - TICK_MS, Math.min(ms, Date.now()));
  const texts = [formatRelative(ms, referenceMs), formatExact(ms, zone)];
  const [text, title] = exact ? texts.reverse() : texts;
  const short = `${formatDateTime(ms, zone).slice(11, 16)} ${zoneName(ms, zone)}`;
  return (
    <time dateTime={iso} title={title}>
      {clock ? short : text}
    </time>
  );
}
