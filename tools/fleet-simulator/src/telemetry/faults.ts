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

/** @param message text in the kernel log, after the code */
export function fault(
  health: Fault['health'],
  symptom: FaultSymptom,
  xid?: number,
  message?: string,
  followedBy?: Fault['followedBy'],
): Fault {
  return { health, symptom, ...(xid && message && { xid, message }), ...(followedBy && { followedBy }) };
}

const OFF_THE_BUS = { xid: 79, message: 'GPU has fallen off the bus.' };

export const faults: readonly Fault[] = [
  fault('critical', 'double_bit_errors', 48, 'DBE (double bit error) ECC error detected'),
  fault('critical', 'none', 119, 'Timeout after 6s of waiting for RPC response from GPU GSP!'),
  fault('critical', 'none', 120, 'GSP task exception: instruction fault (cause:0x2c)', OFF_THE_BUS),
  fault('critical', 'near_shutdown'),
  fault('critical', 'nvlink_errors', 74, 'NVLink: fatal error detected on link 3'),
  fault('critical', 'row_remap_failed', 64, 'Row remapping failure'),
  fault('critical', 'none', 95, 'Uncontained ECC error'),
  fault('degraded', 'none', 63, 'Row remapping event: rows have been remapped'),
  fault('degraded', 'beyond_slowdown'),
  fault('degraded', 'single_bit_errors', 92, 'High single-bit ECC error rate'),
  fault('degraded', 'none', 94, 'Contained ECC error'),
  fault('degraded', 'row_remap_pending'),
  fault('degraded', 'throttling'),
  fault('degraded', 'pcie_replays'),
  fault('missing', 'no_data', OFF_THE_BUS.xid, OFF_THE_BUS.message),
  fault('missing', 'no_data'),
];

/** Faults of programs, which do not affect the health of the GPU. */
export const programFaults: readonly Fault[] = [
  fault('healthy', 'none', 13, 'Graphics Exception: ESR 0x504730=0xc020e'),
  fault('healthy', 'none', 31, 'MMU Fault: ENGINE GRAPHICS faulted, FAULT_PDE ACCESS_TYPE_VIRT_READ'),
  fault('healthy', 'none', 43, 'GPU stopped processing, channel 00000008'),
  fault('healthy', 'none', 45, 'Preemptive channel removal'),
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
