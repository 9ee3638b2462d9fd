import type { SourceVerdict } from '../../model/health/recovery-action.ts';
import { clip } from '../records/clip.ts';
import type { GpuReadings } from '../records/gpu-readings.ts';
import { NAME_LENGTH } from '../records/limits.ts';

const BY_URGENCY = ['healthy', 'degraded', 'critical'];

/** Faults that several sources state. */
export const FAULTS = {
  resetRequired: { health: 'critical', text: 'the driver requires a reset' },
  resetRecommended: { health: 'degraded', text: 'the driver recommends to drain and reset the GPU' },
  memoryUnrepairable: { health: 'critical', text: 'memory cannot be repaired' },
  sramThresholdExceeded: {
    health: 'degraded',
    text: 'the threshold of uncorrectable SRAM errors is exceeded',
  },
  fabricUnhealthy: { health: 'degraded', text: 'the fabric is unhealthy' },
} as const satisfies Record<string, SourceVerdict>;

/** Returns the verdict of a source that states whether it has a fault. */
export function verdictOn(fault: SourceVerdict, hasFault: boolean): SourceVerdict {
  return hasFault ? fault : { ...fault, health: 'healthy' };
}

/** Returns what reads a flag that is set when the source reports a fault. */
export function faultFlag(fault: SourceVerdict): (value: number) => SourceVerdict {
  return (value) => verdictOn(fault, value > 0);
}

/** Returns whether a verdict is worse than another; null states nothing. */
export function isWorse(one: SourceVerdict | null, other: SourceVerdict | null): boolean {
  return urgencyOf(one?.health) > urgencyOf(other?.health);
}

/** Adds a verdict to the readings of a GPU: the worst health counts, with the words of all that are not healthy. */
export function addVerdict(readings: GpuReadings, { health, text }: SourceVerdict): void {
  const before = readings.source_health ?? 'healthy';
  const isWorst = urgencyOf(health) > urgencyOf(before);
  readings.source_health = isWorst ? health : before;
  if (health === 'healthy') return;
  const texts = [readings.source_verdict, text].filter((one) => one != null);
  readings.source_verdict = clip((isWorst ? texts.reverse() : texts).join('; '), NAME_LENGTH);
}

function urgencyOf(health = 'healthy'): number {
  return BY_URGENCY.indexOf(health);
}
