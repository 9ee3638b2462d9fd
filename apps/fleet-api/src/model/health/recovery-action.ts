import type { GpuHealth } from '@gpu-observatory/domain-types';

/** Health that a source states about a GPU, and its words for one that is not healthy. */
export interface SourceVerdict {
  health: Exclude<GpuHealth, 'missing'>;
  text: string;
}

/**
 * NVML's recovery actions by their number (nvmlDeviceGetGpuRecoveryAction), which also is the number of an XID 154 and of DCGM's
 * field 1523.
 */
const ACTIONS: readonly (SourceVerdict & { name: string })[] = [
  { name: 'None', health: 'healthy', text: 'none' },
  { name: 'GPU Reset Required', health: 'critical', text: 'reset GPU' },
  { name: 'Node Reboot Required', health: 'critical', text: 'reboot node' },
  { name: 'Drain P2P', health: 'degraded', text: 'drain P2P' },
  { name: 'Drain and Reset', health: 'degraded', text: 'drain and reset' },
  { name: 'Recover IMEX Domain', health: 'degraded', text: 'recover IMEX domain' },
  { name: 'Bus Reset', health: 'critical', text: 'reset bus' },
  { name: 'System Reboot', health: 'critical', text: 'reboot system' },
];

/** Words of nvidia-smi for an action, which differ between drivers; the first match is used. */
const WORDS: readonly [RegExp, SourceVerdict['health']][] = [
  [/^none$/i, 'healthy'],
  [/drain|imex/i, 'degraded'],
  [/reset|flr|reboot|restart/i, 'critical'],
];

/** Returns the name of a recovery action in the XID catalog; undefined for an unknown number. */
export function recoveryActionName(number: number): string | undefined {
  return ACTIONS[number]?.name;
}

/** Returns the verdict of a recovery action by its number. An unknown action is degraded. */
export function recoveryActionOf(number: number): SourceVerdict {
  const { health, text } = ACTIONS[number] ?? { health: 'degraded', text: String(number) };
  return { health, text: `the driver asks for a recovery action: ${text}` };
}

/** Returns the verdict of a recovery action by its words. An unknown action is degraded. */
export function recoveryActionIn(words: string): SourceVerdict {
  const health = WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'degraded';
  return { health, text: `the driver asks for a recovery action: ${words}` };
}
