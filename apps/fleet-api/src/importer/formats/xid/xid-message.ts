import { normalizePciAddress } from './pci-address.ts';

/** XID line of the driver: `NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after …`. */
export interface XidMessage {
  kind: 'xid';
  /** In the form of NVML. */
  pci: string;
  code: number;
  pid: number | null;
  processName: string | null;
  text: string;
}

/** Error line of the NVSwitch driver: `nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 63 …`. */
export interface SxidMessage {
  kind: 'sxid';
  pci: string;
  code: number;
  fatal: boolean;
  text: string;
}

/** UUID line of the driver, logged before the first XID of a board: `NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-…`. */
interface BoardMessage {
  kind: 'board';
  pci: string;
  gpuId: string;
}

/** The driver could not initialize a GPU: `NVRM: GPU 0000:1a:00.0: RmInitAdapter failed! (0x24:0x65:1423)`. */
export interface InitFailureMessage {
  kind: 'init_failure';
  /** Null in older drivers. */
  pci: string | null;
  text: string;
}

/** First line of a message of several lines about a GPU: `NVRM: The NVIDIA GPU 0000:b3:00.0`. */
interface DeviceMessage {
  kind: 'device';
  pci: string;
}

/** Last line of such a message: `NVRM: fallen off the bus and is not responding to commands.` */
interface BusLossMessage {
  kind: 'bus_loss';
}

export type DriverMessage =
  XidMessage | SxidMessage | BoardMessage | InitFailureMessage | DeviceMessage | BusLossMessage;

/** Text of every line that `readXidMessage` parses. */
export const DRIVER_FAULT = /Xid|GPU at|fallen off the bus|The NVIDIA GPU|RmInitAdapter failed/;
/** XID of a GPU that has fallen off the bus. */
const BUS_LOSS_XID = 79;
const XID = /^NVRM: Xid \(([^) ]+)(?: GPU-I:\d+)?(?: GPU-CI:\d+)?\): (\d+)(?:, (.*))?$/s;
const PROCESS = /^(?:pid='?([^,']*)'?(?:, |$))?(?:name=([^,]*)(?:, |$))?(.*)$/s;
const SXID = /^nvidia-nvswitch\d*: SXid \(([^)]+)\): (\d+), (.*)$/s;
const BOARD = /^NVRM: GPU at ([^ ]+): (GPU-[0-9a-f-]+)/;
const BUS_LOSS = /^NVRM: GPU (?:at )?(\S+?)(?: ?: GPU)? has fallen off the bus/;
const DEVICE = /^NVRM: The NVIDIA GPU (\S+)(.*)$/s;
const BUS_LOSS_END = /^NVRM: fallen off the bus and is not responding/;
const INIT_FAILURE = /^NVRM: (?:GPU (\S+): )?(RmInitAdapter failed.*)$/s;
const UNREADABLE_FAULT = /^NVRM: .*(?:fallen off the bus|RmInitAdapter failed)/s;
const MAX_CODE = 100_000;

/** Parses a message. @returns null for a message about another subject, a fault for an XID that cannot be parsed */
export function readXidMessage(message: string): DriverMessage | { fault: string } | null {
  const board = BOARD.exec(message);
  if (board) {
    const [, address = '', gpuId = ''] = board;
    const pci = normalizePciAddress(address);
    return pci === null ? null : { kind: 'board', pci, gpuId };
  }
  if (/\bSXid\b/.test(message)) return readSxid(message);
  if (!/\bXid\b/.test(message)) return readFaultWithoutXid(message);
  const match = XID.exec(message.trimEnd());
  if (!match) return { fault: 'not a line of the driver: it must be NVRM: Xid (PCI:0000:9b:00): 79, …' };
  const [, address = '', number = '', rest = ''] = match;
  const pci = normalizePciAddress(address);
  if (pci === null) return { fault: `${address} is not a PCI address` };
  const code = Number(number);
  if (code < 1 || code > MAX_CODE) return { fault: `${number} is not an XID` };
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

/** Parses the messages of faults that the driver logs without an XID. */
function readFaultWithoutXid(message: string): DriverMessage | { fault: string } | null {
  const init = INIT_FAILURE.exec(message.trimEnd());
  if (init) {
    const [, address = '', text = ''] = init;
    return { kind: 'init_failure', pci: normalizePciAddress(address), text };
  }
  if (BUS_LOSS_END.test(message)) return { kind: 'bus_loss' };
  const [, address = '', rest = ''] = BUS_LOSS.exec(message) ?? DEVICE.exec(message) ?? [];
  const pci = normalizePciAddress(address);
  if (pci === null)
    return UNREADABLE_FAULT.test(message) ? { fault: 'the line has no PCI address of a GPU' } : null;
  return DEVICE.test(message) && !rest.includes('fallen off the bus')
    ? { kind: 'device', pci }
    : busLoss(pci);
}

/** Returns the XID that the driver reports for a GPU that has fallen off the bus. */
export function busLoss(pci: string): XidMessage {
  return {
    kind: 'xid',
    pci,
    code: BUS_LOSS_XID,
    pid: null,
    processName: null,
    text: 'GPU has fallen off the bus.',
  };
}

function readSxid(message: string): SxidMessage | { fault: string } | null {
  const match = SXID.exec(message.trimEnd());
  if (!match)
    return {
      fault: 'not a line of the driver: it must be nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, …',
    };
  const [, address = '', number = '', text = ''] = match;
  // Continuation lines of an SXid repeat its code.
  if (/^(?:Severity \d|Data \{)/.test(text)) return null;
  const severity = /^(Fatal|Non-fatal)\b/i.exec(text)?.[1]?.toLowerCase();
  const pci = normalizePciAddress(address);
  if (pci === null) return { fault: `${address} is not a PCI address` };
  if (severity === undefined) return { fault: 'the SXid is neither Fatal nor Non-fatal' };
  return { kind: 'sxid', pci, code: Number(number), fatal: severity === 'fatal', text };
}
