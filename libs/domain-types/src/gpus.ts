/** GPU health in list order, the most urgent first (docs/fleet-api.md#list-gpus). */
export const GPU_HEALTHS = ['critical', 'degraded', 'missing', 'healthy'] as const;
export type GpuHealth = (typeof GPU_HEALTHS)[number];

export const XID_TRENDS = ['rising', 'flat', 'falling'] as const;
export type XidTrend = (typeof XID_TRENDS)[number];

/** A reason for a GPU's health: one health rule and the reading that triggered it. */
export interface HealthEvidence {
  rule: string;
  health: GpuHealth;
  evidence: string;
  since: string;
  /** End of the effect without another trigger; null if only a change ends it. */
  until: string | null;
}
