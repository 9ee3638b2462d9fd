import type { GpuHealth } from '@gpu-observatory/domain-types';

/** Health that a source reports for a GPU. `text` is the reason, used only if the GPU is not healthy. */
export interface SourceVerdict {
  health: Exclude<GpuHealth, 'missing'>;
  text: string;
}

/**
 * Recovery actions of NVML by number (nvmlDeviceGetGpuRecoveryAction). XID 154 and DCGM field 1523 use the same numbers.
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

/** Health by the words of nvidia-smi for an action, which differ between drivers. The first match is used. */
const WORDS: readonly [RegExp, SourceVerdict['health']][] = [
  [/^none$/i, 'healthy'],
  [/drain|imex/i, 'degraded'],
  [/reset|flr|reboot|restart/i, 'critical'],
];

/** Returns the name of a recovery action in the XID catalog; undefined for an unknown number. */
export function recoveryActionName(number: number): string | undefined {
  return ACTIONS[number]?.name;
}

/** Returns the verdict for the number of a recovery action. An unknown action is degraded. */
export function recoveryVerdict(number: number): SourceVerdict {
  const { health, text } = ACTIONS[number] ?? { health: 'degraded', text: String(number) };
  return { health, text: `the driver asks for a recovery action: ${text}` };
}

/** Returns the verdict for the words of nvidia-smi for a recovery action. An unknown action is degraded. */
export function recoveryVerdictOfWords(words: string): SourceVerdict {
  const health = WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'degraded';
  return { health, text: `the driver asks for a recovery action: ${words}` };
}
