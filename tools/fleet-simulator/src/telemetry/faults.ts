import type { Gpu } from '../fleet/fleet.ts';

/** How a fault shows in the readings while it lasts. */
export type FaultSign =
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
  | 'silence';

/** What goes wrong with a GPU, and what its health is to be while it lasts. */
export interface Fault {
  health: 'critical' | 'degraded' | 'missing' | 'healthy';
  sign: FaultSign;
  /** The code that the driver reports when it begins. */
  xid?: number;
  /** What the kernel's log says after `NVRM: Xid (PCI:…): <code>, `. */
  message?: string;
  /** One more code, a minute later: only a kernel's log tells of both. */
  followedBy?: { xid: number; message: string };
}

export const faults: readonly Fault[] = [
  {
    health: 'critical',
    sign: 'double_bit_errors',
    xid: 48,
    message: 'DBE (double bit error) ECC error detected',
  },
  {
    health: 'critical',
    sign: 'none',
    xid: 119,
    message:
      'pid=1240590, name=python3, Timeout after 6s of waiting for RPC response from GPU GSP! Expected function 76 (GSP_RM_CONTROL)',
  },
  {
    health: 'critical',
    sign: 'none',
    xid: 120,
    message: 'GSP task exception: instruction fault (cause:0x2c)',
    followedBy: { xid: 79, message: 'GPU has fallen off the bus.' },
  },
  { health: 'critical', sign: 'near_shutdown' },
  { health: 'critical', sign: 'nvlink_errors', xid: 74, message: 'NVLink: fatal error detected on link 3' },
  { health: 'critical', sign: 'row_remap_failed', xid: 64, message: 'Row remapping failure' },
  { health: 'critical', sign: 'none', xid: 95, message: 'Uncontained ECC error' },
  { health: 'degraded', sign: 'none', xid: 63, message: 'Row remapping event: rows have been remapped' },
  { health: 'degraded', sign: 'beyond_slowdown' },
  { health: 'degraded', sign: 'single_bit_errors', xid: 92, message: 'High single-bit ECC error rate' },
  { health: 'degraded', sign: 'none', xid: 94, message: 'Contained ECC error' },
  { health: 'degraded', sign: 'row_remap_pending' },
  { health: 'degraded', sign: 'throttling' },
  { health: 'degraded', sign: 'pcie_replays' },
  { health: 'missing', sign: 'silence', xid: 79, message: 'GPU has fallen off the bus.' },
  { health: 'missing', sign: 'silence' },
];

/** Faults of programs, not of boards: they say nothing about health. */
export const programFaults: readonly Fault[] = [
  { health: 'healthy', sign: 'none', xid: 13, message: 'Graphics Exception: ESR 0x504730=0xc020e' },
  {
    health: 'healthy',
    sign: 'none',
    xid: 31,
    message: 'MMU Fault: ENGINE GRAPHICS faulted, FAULT_PDE ACCESS_TYPE_VIRT_READ',
  },
  { health: 'healthy', sign: 'none', xid: 43, message: 'GPU stopped processing, channel 00000008' },
  { health: 'healthy', sign: 'none', xid: 45, message: 'Preemptive channel removal' },
];

/** Whether this GPU can have the fault and its readings can show it. */
export function canShow({ model, host }: Gpu, { sign, xid, followedBy }: Fault): boolean {
  // Without an XID source a board that falls silent is just silent.
  if (xid !== undefined && host.xidSource === 'none') return false;
  if (followedBy !== undefined && host.xidSource !== 'kernel_log') return false;
  switch (sign) {
    case 'none':
      return true;
    case 'silence':
      return true;
    case 'double_bit_errors':
    case 'single_bit_errors':
      return model.board !== null;
    case 'nvlink_errors':
      return model.hasNvlink;
    case 'pcie_replays':
      return model.vendor === 'NVIDIA' && model.board !== null;
    case 'row_remap_failed':
    case 'row_remap_pending':
      return model.hasRowRemapping;
    case 'near_shutdown':
      return model.board !== null;
    case 'beyond_slowdown':
      return (
        model.board !== null && model.board.temperatureC.slowdown + 2 <= model.board.temperatureC.shutdown - 3
      );
    case 'throttling':
      return model.vendor === 'NVIDIA' && model.board !== null;
  }
}
