import type { SourceVerdict } from '../../model/health/recovery-action.ts';
import { clip } from '../records/clip.ts';
import type { GpuReadings } from '../records/gpu-readings.ts';
import { NAME_LENGTH } from '../records/limits.ts';

const HEALTH_BY_URGENCY = ['healthy', 'degraded', 'critical'];

/** Faults that several sources report. */
export const FAULTS = {
  resetRequired: { health: 'critical', text: 'the driver requires a reset' },
  resetRecommended: { health: 'degraded', text: 'the driver recommends draining and resetting the GPU' },
  memoryUnrepairable: { health: 'critical', text: 'memory cannot be repaired' },
  sramThresholdExceeded: {
    health: 'degraded',
    text: 'the threshold of uncorrectable SRAM errors is exceeded',
  },
  fabricUnhealthy: { health: 'degraded', text: 'the fabric is unhealthy' },
} as const satisfies Record<string, SourceVerdict>;

/** Returns the verdict on a fault that a source reports as present or absent. */
export function verdictOn(fault: SourceVerdict, hasFault: boolean): SourceVerdict {
  return hasFault ? fault : { ...fault, health: 'healthy' };
}

/** Returns `verdictOf` of a series whose value is a flag: above 0 when the source has the fault. */
export function faultFlag(fault: SourceVerdict): (value: number) => SourceVerdict {
  return (value) => verdictOn(fault, value > 0);
}

/** Returns whether the first verdict is worse than the second. Null (no verdict) counts as healthy. */
export function isWorse(one: SourceVerdict | null, other: SourceVerdict | null): boolean {
  return urgencyOf(one?.health) > urgencyOf(other?.health);
}

/** Adds a verdict to the readings of a GPU. They keep the worst health, and the text of that fault comes first. */
export function addVerdict(readings: GpuReadings, { health, text }: SourceVerdict): void {
  const healthBefore = readings.source_health ?? 'healthy';
  const textBefore = readings.source_verdict;
  const isWorseThanBefore = urgencyOf(health) > urgencyOf(healthBefore);
  readings.source_health = isWorseThanBefore ? health : healthBefore;
  if (health === 'healthy') return;
  const texts = isWorseThanBefore ? [text, textBefore] : [textBefore, text];
  readings.source_verdict = clip(texts.filter((one) => one != null).join('; '), NAME_LENGTH);
}

/** Returns the rank of a health: a worse one is greater. */
export function urgencyOf(health = 'healthy'): number {
  return HEALTH_BY_URGENCY.indexOf(health);
}
