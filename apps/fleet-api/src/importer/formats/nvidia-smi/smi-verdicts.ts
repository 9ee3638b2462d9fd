import { recoveryVerdictOfWords, type SourceVerdict } from '../../../model/health/recovery-action.ts';
import type { GpuReadings } from '../../records/gpu-readings.ts';
import { addVerdict, FAULTS, verdictOn } from '../source-verdict.ts';
import { requiresReset } from './driver-errors.ts';
import { type SmiElement, textAt, yesOrNoAt } from './smi-element.ts';

/** Elements that are Yes when the GPU has the fault, and No otherwise. */
const FAULT_FLAGS: readonly [path: string[], fault: SourceVerdict][] = [
  [['gpu_reset_status', 'reset_required'], FAULTS.resetRequired],
  [['gpu_reset_status', 'drain_and_reset_recommended'], FAULTS.resetRecommended],
  [['ecc_errors', 'aggregate', 'sram_threshold_exceeded'], FAULTS.sramThresholdExceeded],
  [['ecc_errors', 'unrepairable_memory'], FAULTS.memoryUnrepairable],
  [
    ['ecc_errors', 'channel_repair_pending'],
    { health: 'degraded', text: 'the repair of a memory channel is pending' },
  ],
  [['ecc_errors', 'tpc_repair_pending'], { health: 'degraded', text: 'the repair of a TPC is pending' }],
];

/** Reads the health that a `gpu` element reports. Empty if it reports none. */
export function smiVerdicts(gpu: SmiElement): Pick<GpuReadings, 'source_health' | 'source_verdict'> {
  const readings: GpuReadings = {};
  const action = textAt(gpu, 'gpu_recovery_action');
  if (action !== undefined) addVerdict(readings, recoveryVerdictOfWords(action));
  if (requiresReset(gpu)) addVerdict(readings, FAULTS.resetRequired);
  const fabric = textAt(gpu, 'fabric', 'health', 'summary');
  if (fabric !== undefined)
    addVerdict(readings, verdictOn(FAULTS.fabricUnhealthy, !/^healthy$/i.test(fabric)));
  for (const [path, fault] of FAULT_FLAGS) {
    const hasFault = yesOrNoAt(gpu, ...path);
    if (hasFault !== null) addVerdict(readings, verdictOn(fault, hasFault));
  }
  return readings;
}
