import { normalPciAddress } from './pci-address.ts';

/** What the driver says of an XID: `NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after …`. */
export interface XidMessage {
  kind: 'xid';
  /** In NVML's form. */
  pci: string;
  code: number;
  pid: number | null;
  processName: string | null;
  text: string;
}

/** What NVSwitch's driver says of an error of the switch: `nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 63 …`. */
export interface SxidMessage {
  kind: 'sxid';
  pci: string;
  code: number;
  fatal: boolean;
  text: string;
}

/** The driver tells a board's UUID before its first XID: `NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-…`. */
export interface BoardMessage {
  kind: 'board';
  pci: string;
  gpuId: string;
}

const XID = /^NVRM: Xid \(([^) ]+)(?: GPU-I:\d+)?\): (\d+)(?:, (.*))?$/s;
const PROCESS = /^(?:pid='?([^,']*)'?(?:, |$))?(?:name=([^,]*)(?:, |$))?(.*)$/s;
const SXID = /^nvidia-nvswitch\d*: SXid \(([^)]+)\): (\d+), (.*)$/s;
const BOARD = /^NVRM: GPU at ([^ ]+): (GPU-[0-9a-f-]+)/;
const MOST = 100_000;

/** @returns null for a line about something else, or why a line about an XID cannot be read */
export function readXidMessage(
  message: string,
): XidMessage | SxidMessage | BoardMessage | { fault: string } | null {
  const board = BOARD.exec(message);
  if (board) {
    const [, address = '', gpuId = ''] = board;
    const pci = normalPciAddress(address);
    return pci === null ? null : { kind: 'board', pci, gpuId };
  }
  if (/\bSXid\b/.test(message)) return readSxid(message);
  if (!/\bXid\b/.test(message)) return null;
  const match = XID.exec(message.trimEnd());
  if (!match) return { fault: 'not a line of the driver: it should be NVRM: Xid (PCI:0000:9b:00): 79, …' };
  const [, address = '', number = '', rest = ''] = match;
  const pci = normalPciAddress(address);
  if (pci === null) return { fault: `${address} is no PCI address` };
  const code = Number(number);
  if (code < 1 || code > MOST) return { fault: `${number} is no XID` };
  const [, pid = '', name = '', text = ''] = PROCESS.exec(rest) ?? [];
  return {
    kind: 'xid',
    pci,
    code,
    pid: /^\d{1,10}$/.test(pid) ? Number(pid) : null,
    processName: name === '' || name === '<unknown>' ? null : name,
    text,
  };
}

function readSxid(message: string): SxidMessage | { fault: string } | null {
  const match = SXID.exec(message.trimEnd());
  if (!match)
    return {
      fault: 'not a line of the driver: it should be nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, …',
    };
  const [, address = '', number = '', text = ''] = match;
  // The lines after an SXid that say more of it have its code again.
  if (/^(?:Severity \d|Data \{)/.test(text)) return null;
  const severity = /^(Fatal|Non-fatal)\b/i.exec(text)?.[1]?.toLowerCase();
  const pci = normalPciAddress(address);
  if (pci === null) return { fault: `${address} is no PCI address` };
  if (severity === undefined) return { fault: 'an SXid should say whether it is Fatal or Non-fatal' };
  return { kind: 'sxid', pci, code: Number(number), fatal: severity === 'fatal', text };
}
