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
  /** The UUID of a board: no record, but later lines refer to it. */
  | { kind: 'board' }
  /** A line about another subject. */
  | { kind: 'other' }
  | { kind: 'fault'; fault: string };

/** Fourth stage: finds host and GPU of a message. Some of them are in earlier lines. */
export class Locator {
  /** UUIDs that the driver logged, by slot. */
  private readonly boards = new Map<string, string>();
  /** First line of the last multi-line message, by host. The key null has the last one of all hosts. */
  private readonly devices = new Map<string | null, { pci: string; line: DatedLine }>();
  /** Time of the last XID 79 by slot, in ms since the epoch. */
  private readonly busLosses = new Map<string, number>();

  /** @param host host of all lines; null: the host in the line */
  constructor(private readonly host: string | null) {}

  locate(line: DatedLine | UndatedLine, message: Message): Located {
    switch (message.kind) {
      case 'other':
      case 'fault':
        return message;
      case 'device':
        if (line.kind === 'dated')
          for (const host of [line.host, null]) this.devices.set(host, { pci: message.pci, line });
        return { kind: 'other' };
      case 'board': {
        if (line.kind === 'undated') return { kind: 'other' };
        const host = this.host ?? line.host;
        if (host !== null) this.boards.set(slotKey(host, message.pci), message.gpuId);
        return { kind: 'board' };
      }
      case 'bus_loss':
        return this.locateBusLoss(line, message.pci);
      default:
        return line.kind === 'dated' ? this.locateDated(line, message) : { kind: 'fault', fault: line.fault };
    }
  }

  /** @param pci null for the last line of a message of several lines */
  private locateBusLoss(line: DatedLine | UndatedLine, pci: string | null): Located {
    if (pci !== null)
      return line.kind === 'dated' ? this.locateLostGpu(line, pci) : { kind: 'fault', fault: line.fault };
    const device = this.devices.get(line.kind === 'dated' ? line.host : null);
    if (device === undefined) return { kind: 'fault', fault: 'the line before, with the GPU, is missing' };
    // dmesg prints time and host only on the first line of a message.
    return this.locateLostGpu(line.kind === 'dated' ? line : device.line, device.pci);
  }

  private locateLostGpu(line: DatedLine, pci: string): Located {
    const host = this.host ?? line.host;
    const lostMs = host === null ? undefined : this.busLosses.get(slotKey(host, pci));
    // The driver repeats XID 79 without its number.
    const isRepeated = lostMs !== undefined && line.atMs >= lostMs && line.atMs - lostMs < MINUTE_MS;
    return isRepeated ? { kind: 'other' } : this.locateDated(line, busLoss(pci));
  }

  private locateDated(line: DatedLine, message: AlertedMessage): Located {
    const host = this.host ?? line.host;
    if (host === null) return { kind: 'fault', fault: 'the line has no host: set --host' };
    const slot = slotKey(host, message.pci ?? '');
    if (message.kind === 'xid' && message.code === BUS_LOSS_XID) this.busLosses.set(slot, line.atMs);
    const at = new Date(line.atMs).toISOString();
    return { kind: 'located', line, message, host, slot, gpuId: this.boards.get(slot), at };
  }
}
