import { MINUTE_MS } from './durations.ts';
import { alertTypeTitle } from './format.ts';
import { asSentence, HEALTH_RULES, xidInstruction } from './health-rules.ts';
import type { GpuDetail, Health, Reason } from './queries.ts';

export type HealthReason = GpuDetail['security_diagnostics']['health']['reasons'][number];

/** When the effect of a fault on the health ends, if nothing else happens. */
export type FaultEnd =
  | { kind: 'never' }
  | { kind: 'report' }
  /** A reset ends it earlier. */
  | { kind: 'xid'; at: string }
  | { kind: 'clean'; at: string };

/** A reason for the health of a GPU, for a person. */
export interface Fault {
  /** What happened; its times are RFC 3339 UTC. */
  sentence: string;
  instruction: string | undefined;
  /** Start of the fault that the sentence names, RFC 3339. */
  since: string;
  /** Start of the rule by an earlier fault, such as another XID; undefined without one. */
  earlierSince: string | undefined;
  end: FaultEnd;
}

/** Evidence of the rules for XIDs: code, name, immediate action, and the XID that this one caused. */
const XID_EVIDENCE = /^XID (\d+): (.*) \(([^()]*)\)(, cause of XID \d+)?$/s;
/** GPU has fallen off the bus. */
const OFF_THE_BUS = 79;
/** XIDs closer than this are one fault with several codes: one that causes others precedes them by seconds or a few minutes. */
const SAME_FAULT_MS = 10 * MINUTE_MS;

/** Returns the start of the rule if it was an earlier fault than that of the evidence, else undefined. */
function earlierFault(ruleSince: string, evidenceSince: string): string | undefined {
  return Date.parse(evidenceSince) - Date.parse(ruleSince) >= SAME_FAULT_MS ? ruleSince : undefined;
}

/** Describes a reason for the health of a GPU. The API has the newest evidence of a rule with its first start. */
export function faultOf(reason: HealthReason, gpu: GpuDetail): Fault {
  const { rule, evidence } = reason;
  const xid = XID_EVIDENCE.exec(evidence);
  if (xid === null) {
    const { title = alertTypeTitle(rule), instruction } = HEALTH_RULES[rule] ?? {};
    return {
      sentence: asSentence(rule === 'no_report' ? evidence : `${title}: ${evidence}`),
      instruction,
      since: reason.since,
      earlierSince: undefined,
      end: endOf(reason, gpu, undefined),
    };
  }
  const [code, name, action, effect] = [Number(xid[1]), xid[2] ?? '', xid[3] ?? '', xid[4] ?? ''];
  const since = newestStart(gpu, code) ?? reason.since;
  return {
    sentence: asSentence(`XID ${code}: ${name}${effect}`),
    instruction: xidInstruction(action, rule),
    since,
    earlierSince: earlierFault(reason.since, since),
    end: endOf(reason, gpu, code),
  };
}

/** Describes a reason of a status, which has the time of its evidence and what to do. */
export function faultOfStatus(reason: Reason, health: Health): Fault {
  const { rule, evidence, evidence_at, since, action } = reason;
  const xid = XID_EVIDENCE.exec(evidence);
  if (xid === null) {
    const { title = alertTypeTitle(rule) } = HEALTH_RULES[rule] ?? {};
    const sentence = asSentence(rule === 'no_report' ? evidence : `${title}: ${evidence}`);
    return {
      sentence,
      instruction: action,
      since,
      earlierSince: undefined,
      end: endOf(reason, { health }, undefined),
    };
  }
  const code = Number(xid[1]);
  return {
    sentence: asSentence(`XID ${code}: ${xid[2]}${xid[4] ?? ''}`),
    instruction: xidInstruction(action, rule),
    since: evidence_at,
    earlierSince: earlierFault(since, evidence_at),
    end: endOf(reason, { health }, code),
  };
}

/** Returns the start of the newest incident with a code in the last 24 hours. */
function newestStart(gpu: GpuDetail, code: number): string | undefined {
  return gpu.security_diagnostics.recent_xid_errors
    .filter((error) => error.code === code)
    .map(({ occurred_at }) => occurred_at)
    .sort()
    .at(-1);
}

function endOf(
  { rule, until }: Pick<HealthReason, 'rule' | 'until'>,
  { health }: Pick<GpuDetail, 'health'>,
  code: number | undefined,
): FaultEnd {
  if (rule === 'no_report') return { kind: 'report' };
  // Time alone brings back neither a GPU that is off the bus nor one that has failed and no longer reports.
  if (until === null || health === 'missing' || code === OFF_THE_BUS) return { kind: 'never' };
  return { kind: code === undefined ? 'clean' : 'xid', at: until };
}
