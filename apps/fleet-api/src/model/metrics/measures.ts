/**
 * What `fleet.metric_days` sums up, by the keys of `metrics_summary` (contract 2.8) without their `avg_` and `total_`.
 * Sums are kept as whole ten-thousandths: they come out the same in whatever order they were added.
 */
export const MEANS = [
  'gpu_utilization',
  'gpu_temperature',
  'gpu_power',
  'gpu_memory',
  'gpu_fan_speed',
  'clock_speed',
  'memory_clock',
  'thermal_slope',
  'cpu_load',
  'cpu_utilization',
  'fork_rate',
  'exit_rate',
] as const;
export type Mean = (typeof MEANS)[number];

export const TOTALS = ['ecc_errors', 'xid_errors', 'throttle_events'] as const;
export type Total = (typeof TOTALS)[number];

/** A unit of a sum is this part of a reading's unit. */
export const SUM_SCALE = 10_000;

/** A reading, or readings added up, in the units in which sums are kept. */
export function inSumUnits(value: number): number {
  return Math.round(value * SUM_SCALE);
}

/** 0-100 by health (decisions, section 2, Metrics). */
export const HEALTH_SCORES = { healthy: 100, degraded: 50, critical: 0, missing: 0 } as const;

/** The things that are counted, each from its first to its last sighting; `fleet.entity_counts.kind` is their number. */
export const THING_KINDS = [
  'gpu',
  'host',
  'container',
  'gpu_container',
  'mps_container',
  'vm',
  'process',
  'container_process',
  'agent_session',
  'workspace',
  'key_workspace',
] as const;
export type ThingKind = (typeof THING_KINDS)[number];

/** `fleet.entity_counts.edge`: first sightings, last ones, and the moments at which GPUs fell silent. */
export const EDGE = { first: 0, last: 1, silent: 2 } as const;
/** `fleet.entity_counts.grain`: what lies before a window is read by months, the running day's silence by hours. */
export const GRAIN = { month: 0, day: 1, hour: 2 } as const;
/** `scope_kind` of the rollups: a whole customer, one of its workspaces (0: none), one of its API keys in one of them. */
export const ROLLUP_SCOPE = { customer: 0, workspace: 1, apiKey: 2 } as const;
