import type { WorkloadKind } from '../telemetry/programs.ts';
import type { GpuModelKey } from './gpu-models.ts';

/** Source of a host's XIDs: DCGM's gauge in each sample, the kernel log, or none. */
export type XidSource = 'gauge' | 'kernel_log' | 'none';

export interface RackSlot {
  model: GpuModelKey;
  xidSource: XidSource;
  workload: WorkloadKind;
  mig?: boolean;
}

/**
 * Configurations of a customer's hosts, in order and repeated. The first ones differ most, so that a small fleet has
 * every kind. The length is prime, so that each workspace gets all of them.
 */
export const rackSlots: readonly RackSlot[] = [
  { model: 'h100', xidSource: 'gauge', workload: 'training' },
  { model: 'vgpu', xidSource: 'none', workload: 'interactive' },
  { model: 'rtx6000', xidSource: 'gauge', workload: 'interactive' },
  { model: 'mi300x', xidSource: 'none', workload: 'training' },
  { model: 'a100', xidSource: 'gauge', workload: 'inference', mig: true },
  { model: 'l40s', xidSource: 'kernel_log', workload: 'inference' },
  { model: 't4', xidSource: 'gauge', workload: 'inference' },
  { model: 'h100', xidSource: 'gauge', workload: 'inference', mig: true },
  { model: 'h200', xidSource: 'gauge', workload: 'training' },
  { model: 'l4', xidSource: 'gauge', workload: 'inference' },
  { model: 'a100', xidSource: 'gauge', workload: 'training' },
  { model: 'h100', xidSource: 'gauge', workload: 'training' },
  { model: 'l40s', xidSource: 'none', workload: 'interactive' },
  { model: 'h100', xidSource: 'kernel_log', workload: 'training' },
  { model: 'a100', xidSource: 'gauge', workload: 'interactive' },
  { model: 'h200', xidSource: 'gauge', workload: 'inference' },
  { model: 'l4', xidSource: 'none', workload: 'inference' },
];
