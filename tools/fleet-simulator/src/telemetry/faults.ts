import type { Gpu } from '../fleet/fleet.ts';

/** Effect of a fault on the readings while it lasts. */
export type FaultSymptom =
  | 'none'
  | 'double_bit_errors'
  | 'single_bit_errors'
  | 'nvlink_errors'
  | 'pcie_replays'
  | 'row_remap_failed'
  | 'row_remap_pending'
  | 'beyond_slowdown'
  | 'near_shutdown'
  | 'throttling'
  | 'no_data';

/** A fault of a GPU, with the expected health while it lasts. */
export interface Fault {
  health: 'critical' | 'degraded' | 'missing' | 'healthy';
  symptom: FaultSymptom;
  /** XID that the driver reports when the fault begins. */
  xid?: number;
  /** Text in the kernel log after `NVRM: Xid (PCI:…): <code>, `. */
  message?: string;
  /** Second XID one minute later. Only the kernel log contains both. */
  followedBy?: { xid: number; message: string };
}

/** A fault of one GPU from `start` until its reset or return at `end` (ms since the epoch). */
export interface Incident {
  gpu: Gpu;
  fault: Fault;
  start: number;
  end: number;
}

export const faults: readonly Fault[] = [
  {
    health: 'critical',
    symptom: 'double_bit_errors',
    xid: 48,
    message: 'DBE (double bit error) ECC error detected',
  },
  {
    health: 'critical',
    symptom: 'none',
    xid: 119,
    message:
      'pid=1240590, name=python3, Timeout after 6s of waiting for RPC response from GPU GSP! Expected function 76 (GSP_RM_CONTROL)',
  },
  {
    health: 'critical',
    symptom: 'none',
    xid: 120,
    message: 'GSP task exception: instruction fault (cause:0x2c)',
    followedBy: { xid: 79, message: 'GPU has fallen off the bus.' },
  },
  { health: 'critical', symptom: 'near_shutdown' },
  {
    health: 'critical',
    symptom: 'nvlink_errors',
    xid: 74,
    message: 'NVLink: fatal error detected on link 3',
  },
  { health: 'critical', symptom: 'row_remap_failed', xid: 64, message: 'Row remapping failure' },
  { health: 'critical', symptom: 'none', xid: 95, message: 'Uncontained ECC error' },
  { health: 'degraded', symptom: 'none', xid: 63, message: 'Row remapping event: rows have been remapped' },
  { health: 'degraded', symptom: 'beyond_slowdown' },
  { health: 'degraded', symptom: 'single_bit_errors', xid: 92, message: 'High single-bit ECC error rate' },
  { health: 'degraded', symptom: 'none', xid: 94, message: 'Contained ECC error' },
  { health: 'degraded', symptom: 'row_remap_pending' },
  { health: 'degraded', symptom: 'throttling' },
  { health: 'degraded', symptom: 'pcie_replays' },
  { health: 'missing', symptom: 'no_data', xid: 79, message: 'GPU has fallen off the bus.' },
  { health: 'missing', symptom: 'no_data' },
];

/** Faults of programs, which do not affect the health of the GPU. */
export const programFaults: readonly Fault[] = [
  { health: 'healthy', symptom: 'none', xid: 13, message: 'Graphics Exception: ESR 0x504730=0xc020e' },
  {
    health: 'healthy',
    symptom: 'none',
    xid: 31,
    message: 'MMU Fault: ENGINE GRAPHICS faulted, FAULT_PDE ACCESS_TYPE_VIRT_READ',
  },
  { health: 'healthy', symptom: 'none', xid: 43, message: 'GPU stopped processing, channel 00000008' },
  { health: 'healthy', symptom: 'none', xid: 45, message: 'Preemptive channel removal' },
];

/**
 * Whether the XIDs of the fault raise an alert. The adapters for kernel logs and DCGM raise one for each incident; here, those of
 * programs do not, because most incidents are theirs.
 */
export function raisesAlert({ health, xid }: Fault): boolean {
  return xid !== undefined && health !== 'healthy';
}

/** Whether the GPU can have the fault and can report its symptom. */
export function canHave({ model, host }: Gpu, { symptom, xid, followedBy }: Fault): boolean {
  // A fault with an XID needs an XID source.
  if (xid !== undefined && host.xidSource === 'none') return false;
  if (followedBy !== undefined && host.xidSource !== 'kernel_log') return false;
  switch (symptom) {
    case 'none':
    case 'no_data':
      return true;
    case 'double_bit_errors':
    case 'single_bit_errors':
    case 'near_shutdown':
      return model.board !== null;
    case 'nvlink_errors':
      return model.hasNvlink;
    case 'pcie_replays':
    case 'throttling':
      return model.vendor === 'NVIDIA' && model.board !== null;
    case 'row_remap_failed':
    case 'row_remap_pending':
      return model.hasRowRemapping;
    case 'beyond_slowdown':
      return (
        model.board !== null && model.board.temperatureC.slowdown + 2 <= model.board.temperatureC.shutdown - 3
      );
  }
}
