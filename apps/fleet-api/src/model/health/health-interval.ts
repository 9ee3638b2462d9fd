import { DAY_MS, type GpuHealth } from '@gpu-observatory/domain-types';
import { dayStart } from '../metrics/time-grains.ts';
import { healthAt } from './health-precedence.ts';
import type { HealthSignal } from './health-signal.ts';
import { missingTimeoutMs } from './missing-data-timeout.ts';

/** A time span of constant health within one UTC day; in ms since the epoch, `toMs` exclusive. */
interface HealthInterval {
  fromMs: number;
  toMs: number;
  health: GpuHealth;
}

/**
 * Splits the time from one report to the next into intervals of constant health, by the signals known at the first report.
 * Boundaries are the begins and ends of signals, the missing-data timeout, and midnights.
 */
export function healthIntervals(
  fromMs: number,
  toMs: number,
  signals: readonly HealthSignal[],
  reportIntervalSeconds: number,
): HealthInterval[] {
  const missingAtMs = fromMs + missingTimeoutMs(reportIntervalSeconds);
  const spans = signals.map(({ health, since, until }) => ({
    health,
    sinceMs: Date.parse(since),
    untilMs: Date.parse(until),
  }));
  const changesMs = [missingAtMs, ...spans.flatMap(({ sinceMs, untilMs }) => [sinceMs, untilMs])];
  for (let midnightMs = dayStart(fromMs) + DAY_MS; midnightMs < toMs; midnightMs += DAY_MS)
    changesMs.push(midnightMs);
  const withinMs = changesMs.filter((ms) => ms > fromMs && ms < toMs).sort((a, b) => a - b);
  const boundariesMs = [fromMs, ...new Set(withinMs), toMs];
  return boundariesMs.slice(1).map((endMs, i) => {
    const beginMs = boundariesMs[i] as number;
    const begun = spans.filter(({ sinceMs }) => sinceMs <= beginMs);
    const lastEndMs = (health: HealthSignal['health']) =>
      Math.max(...begun.filter((span) => span.health === health).map(({ untilMs }) => untilMs));
    const times = {
      missingAtMs,
      criticalUntilMs: lastEndMs('critical'),
      degradedUntilMs: lastEndMs('degraded'),
    };
    // No boundary is inside an interval, so its middle is unambiguous.
    return { fromMs: beginMs, toMs: endMs, health: healthAt(times, (beginMs + endMs) / 2) };
  });
}
