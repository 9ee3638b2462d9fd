import { formatTimestamp, type GpuHealth, type HealthEvidence } from '@gpu-observatory/domain-types';
import { type HealthSignal, mergedByRule } from './health-signal.ts';
import { RULE_ACTIONS } from './rule-actions.ts';

/** A rule that applies to a GPU, with the recommended action. */
export interface HealthReason extends HealthEvidence {
  /** Time of the reading or XID of the evidence, RFC 3339. */
  evidenceAt: string;
  action: string;
}

/** Present health of a GPU, with the values that decide it. */
export interface ReportedHealth {
  health: GpuHealth;
  /** Health signals that apply now. */
  signals: HealthSignal[];
  last_seen: Date;
  report_interval_seconds: number;
}

/** Returns the rules that apply: critical ones, then the missing report of a missing GPU, then the others. */
export function healthReasons(gpu: ReportedHealth): HealthReason[] {
  const signals = mergedByRule(gpu.signals).toSorted((a, b) => b.since.localeCompare(a.since));
  const reasonsFor = (health: GpuHealth): HealthReason[] =>
    signals
      .filter((signal) => signal.health === health)
      .map((signal) => ({ ...signal, action: signal.action ?? RULE_ACTIONS[signal.rule] }));
  const lastSeen = formatTimestamp(gpu.last_seen);
  const missingData: HealthReason = {
    rule: 'no_report',
    health: 'missing',
    evidence: `no report since ${lastSeen}; one is due every ${gpu.report_interval_seconds} s`,
    since: lastSeen,
    until: null,
    evidenceAt: lastSeen,
    action: RULE_ACTIONS.no_report,
  };
  return [
    ...reasonsFor('critical'),
    ...(gpu.health === 'missing' ? [missingData] : []),
    ...reasonsFor('degraded'),
  ];
}

/** Returns the time since which a GPU has its health: that of the last report if it is missing, null if it is healthy. */
export function healthSince({ health, last_seen: lastSeen, signals }: ReportedHealth): string | null {
  if (health === 'missing') return formatTimestamp(lastSeen);
  const starts = signals.filter((signal) => signal.health === health).map(({ since }) => since);
  return starts.sort()[0] ?? null;
}
