import { MINUTE_MS } from '@gpu-observatory/domain-types';
import { slotKey } from '../../write/xid-event.ts';
import type { DatedLine, UndatedLine } from './date.ts';
import { type AlertedMessage, BUS_LOSS_XID, busLoss, type Message } from './recognize.ts';

/** A message that results in an alert, with its GPU or switch. */
export interface LocatedMessage {
  kind: 'located';
  message: AlertedMessage;
  host: string;
  /** Key of host and PCI address. */
  slot: string;
  /** UUID that the driver logged for the slot before this message; undefined without one. */
  gpuId: string | undefined;
  at: string;
  line: DatedLine;
}

export type Located =
  | LocatedMessage
  /** The UUID of a board: no record, but later lines refer to it. Unlike a line about another subject, it is not counted as skipped. */
  | { kind: 'board' }
  /** A line about another subject. */
  | { kind: 'other' }
  | { kind: 'fault'; fault: string };

/**
 * Fourth stage: finds host and GPU of a message, which may be in earlier lines. The driver logs the UUID of a board before its first
 * XID, and the loss of a GPU in several lines:
 *
 *     NVRM: The NVIDIA GPU 0000:b3:00.0                          (device)
 *     NVRM: (PCI ID: 10de:2330) installed in this system has     (other)
 *     NVRM: fallen off the bus and is not responding to commands (bus_loss)
 */
export class Locator {
  /** UUIDs that the driver logged, by slot. */
  private readonly uuidBySlot = new Map<string, string>();
  /** Last `device` line by host, and that of all hosts under the key null. */
  private readonly lastDevice = new Map<string | null, { pci: string; line: DatedLine }>();
  /** Time of the last XID 79 by slot, in ms since the epoch. */
  private readonly lastBusLossMs = new Map<string, number>();

  /** @param host host of all lines; null: the host in the line */
  constructor(private readonly host: string | null) {}

  locate(line: DatedLine | UndatedLine, message: Message): Located {
    switch (message.kind) {
      case 'other':
      case 'fault':
        return message;
      case 'device':
        if (line.kind === 'dated') this.addDevice(line, message.pci);
        return { kind: 'other' };
      case 'board':
        // A line without a valid time has no host.
        return line.kind === 'dated' ? this.addBoard(line, message) : { kind: 'other' };
      case 'bus_loss':
        return this.locateBusLoss(line, message.pci);
      default:
        return line.kind === 'dated' ? this.locateDated(line, message) : { kind: 'fault', fault: line.fault };
    }
  }

  private addDevice(line: DatedLine, pci: string): void {
    this.lastDevice.set(line.host, { pci, line });
    // For a bus loss whose line has no time and no host.
    this.lastDevice.set(null, { pci, line });
  }

  private addBoard(line: DatedLine, { pci, gpuId }: Extract<Message, { kind: 'board' }>): Located {
    const host = this.hostOf(line);
    if (host !== null) this.uuidBySlot.set(slotKey(host, pci), gpuId);
    return { kind: 'board' };
  }

  /** @param pci null for the last line of a message of several lines */
  private locateBusLoss(line: DatedLine | UndatedLine, pci: string | null): Located {
    if (pci !== null)
      return line.kind === 'dated' ? this.locateLostGpu(line, pci) : { kind: 'fault', fault: line.fault };
    const device = this.lastDevice.get(line.kind === 'dated' ? line.host : null);
    if (device === undefined) return { kind: 'fault', fault: 'the line before, with the GPU, is missing' };
    // dmesg prints time and host only on the first line of a message.
    return this.locateLostGpu(line.kind === 'dated' ? line : device.line, device.pci);
  }

  private locateLostGpu(line: DatedLine, pci: string): Located {
    const host = this.hostOf(line);
    const lostMs = host === null ? undefined : this.lastBusLossMs.get(slotKey(host, pci));
    // The driver repeats XID 79 without its number, so a loss within a minute after XID 79 is the same event.
    const isRepeated = lostMs !== undefined && line.atMs >= lostMs && line.atMs - lostMs < MINUTE_MS;
    return isRepeated ? { kind: 'other' } : this.locateDated(line, busLoss(pci));
  }

  private locateDated(line: DatedLine, message: AlertedMessage): Located {
    const host = this.hostOf(line);
    if (host === null) return { kind: 'fault', fault: 'the line has no host: set --host' };
    const slot = slotKey(host, message.pci ?? '');
    if (message.kind === 'xid' && message.code === BUS_LOSS_XID) this.lastBusLossMs.set(slot, line.atMs);
    const at = new Date(line.atMs).toISOString();
    return { kind: 'located', line, message, host, slot, gpuId: this.uuidBySlot.get(slot), at };
  }

  private hostOf(line: DatedLine): string | null {
    return this.host ?? line.host;
  }
}
