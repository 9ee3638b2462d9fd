import type { GpuHealth } from '@gpu-observatory/domain-types';
import type { HealthFact } from './health-signal.ts';
import { LEAST_SILENCE_SECONDS, MISSED_REPORTS } from './missing-data-timeout.ts';

/** A stretch of time in which a GPU's health was the same, within one UTC day; milliseconds since the epoch. */
export interface HealthSpell {
  fromMs: number;
  toMs: number;
  health: GpuHealth;
}

const DAY_MS = 86_400_000;

/** How long a GPU may be silent before it is missing, in milliseconds. */
export function toleratedSilenceMs(reportIntervalSeconds: number): number {
  return Math.max(MISSED_REPORTS * reportIntervalSeconds, LEAST_SILENCE_SECONDS) * 1_000;
}

/**
 * What a GPU's health was from one report until the next, by the facts that were known at the first: the same rules as
 * `healthSql`, over a stretch of time. It is cut where a fact begins or ends, where silence sets in, and at midnight.
 */
export function healthSpells(
  fromMs: number,
  toMs: number,
  facts: readonly HealthFact[],
  reportIntervalSeconds: number,
): HealthSpell[] {
  const silentFromMs = fromMs + toleratedSilenceMs(reportIntervalSeconds);
  const spans = facts.map(({ health, since, until }) => ({
    health,
    sinceMs: Date.parse(since),
    untilMs: Date.parse(until),
  }));
  const cuts = [silentFromMs, ...spans.flatMap(({ sinceMs, untilMs }) => [sinceMs, untilMs])];
  for (let midnight = (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS; midnight < toMs; midnight += DAY_MS)
    cuts.push(midnight);
  const within = cuts.filter((ms) => ms > fromMs && ms < toMs).sort((a, b) => a - b);
  const borders = [fromMs, ...new Set(within), toMs];
  return borders.slice(1).map((end, i) => {
    const begin = borders[i] as number;
    const holds = (health: GpuHealth) =>
      spans.some((span) => span.health === health && span.sinceMs <= begin && begin < span.untilMs);
    const known = holds('critical') ? 'critical' : holds('degraded') ? 'degraded' : 'healthy';
    return { fromMs: begin, toMs: end, health: begin >= silentFromMs ? 'missing' : known };
  });
}
