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

/** The driver could not initialize a GPU: `NVRM: GPU 0000:1a:00.0: RmInitAdapter failed! (0x24:0x65:1423)`. */
export interface InitFailureMessage {
  kind: 'init_failure';
  /** Null in older drivers. */
  pci: string | null;
  text: string;
}

/** A message that results in an alert. */
export type AlertedMessage = XidMessage | SxidMessage | InitFailureMessage;

export type Message =
  | AlertedMessage
  /** UUID line, logged before the first XID of a board: `NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-…`. */
  | { kind: 'board'; pci: string; gpuId: string }
  /** First line of a message of several lines about a GPU: `NVRM: The NVIDIA GPU 0000:b3:00.0`. */
  | { kind: 'device'; pci: string }
  /**
   * A lost GPU without an XID: `NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.`, or the last line of a message of several
   * lines, without the address: `NVRM: fallen off the bus and is not responding to commands.`
   */
  | { kind: 'bus_loss'; pci: string | null }
  /** A line about another subject. */
  | { kind: 'other' }
  /** A line about a fault that cannot be imported. */
  | { kind: 'fault'; fault: string };

type Groups = Record<string, string | undefined>;

/** Text of the faults that the driver logs without an XID. */
const FAULT_WITHOUT_XID = /fallen off the bus|RmInitAdapter failed/;
const PROCESS = /^(?:pid='?(?<pid>[^,']*)'?(?:, |$))?(?:name=(?<name>[^,]*)(?:, |$))?(?<text>.*)$/s;
/** XID of a GPU that has fallen off the bus. */
export const BUS_LOSS_XID = 79;
const MAX_CODE = 100_000;

const OTHER: Message = { kind: 'other' };
const WITHOUT_ADDRESS = faultOf('the line has no PCI address of a GPU');
const NO_XID = faultOf('not a line of the driver: it must be NVRM: Xid (PCI:0000:9b:00): 79, …');
const NO_SXID = faultOf(
  'not a line of the driver: it must be nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, …',
);

/** Formats of the driver's messages. The first one that matches is used. */
const FORMATS: [message: RegExp, read: (groups: Groups) => Message][] = [
  [/^NVRM: GPU at (?<address>[^ ]+): (?<gpuId>GPU-[0-9a-f-]+)/, readBoard],
  [/^nvidia-nvswitch\d*: SXid \((?<address>[^)]+)\): (?<number>\d+), (?<text>.*)$/s, readSxid],
  [
    /^(?<text>detected NVSwitch (?<severity>fatal|non-fatal) error (?<number>\d+) .*?pci bus id (?<address>\S+).*)$/s,
    readSwitchError,
  ],
  [/\bSXid|NVSwitch (?:non-)?fatal error/, () => NO_SXID],
  [
    /^NVRM: Xid \((?<address>[^) ]+)(?: GPU-I:\d+)?(?: GPU-CI:\d+)?\): (?<number>\d+)(?:, (?<text>.*))?$/s,
    readXid,
  ],
  [/\bXid/, () => NO_XID],
  [/^NVRM: (?:GPU (?<address>\S+): )?(?<text>RmInitAdapter failed.*)$/s, readInitFailure],
  [/^NVRM: fallen off the bus and is not responding/, () => ({ kind: 'bus_loss', pci: null })],
  [/^NVRM: GPU (?:at )?(?<address>\S+?)(?: ?: GPU)? has (?<text>fallen off the bus)/, readDevice],
  [/^NVRM: The NVIDIA GPU (?<address>\S+)(?<text>.*)$/s, readDevice],
  [FAULT_WITHOUT_XID, () => WITHOUT_ADDRESS],
];

/** Third stage: parses a message of the driver. */
export function recognize(message: string): Message {
  const text = message.trimEnd();
  for (const [pattern, read] of FORMATS) {
    const match = pattern.exec(text);
    if (match !== null) return read(match.groups ?? {});
  }
  return OTHER;
}

/** Returns the XID message for a GPU that has fallen off the bus. */
export function busLoss(pci: string): XidMessage {
  const text = 'GPU has fallen off the bus.';
  return { kind: 'xid', pci, code: BUS_LOSS_XID, pid: null, processName: null, text };
}

function readBoard({ address = '', gpuId = '' }: Groups): Message {
  const pci = normalizePciAddress(address);
  return pci === null ? OTHER : { kind: 'board', pci, gpuId };
}

function readXid({ address = '', number = '', text: rest = '' }: Groups): Message {
  const pci = normalizePciAddress(address);
  if (pci === null) return faultOf(`${address} is not a PCI address`);
  const code = Number(number);
  if (code < 1 || code > MAX_CODE) return faultOf(`${number} is not an XID`);
  const { pid = '', name = '', text = '' } = PROCESS.exec(rest)?.groups ?? {};
  return {
    kind: 'xid',
    pci,
    code,
    pid: /^\d{1,10}$/.test(pid) ? Number(pid) : null,
    processName: name === '' || name === '<unknown>' ? null : name,
    text,
  };
}

function readSxid({ address = '', number = '', text = '' }: Groups): Message {
  // Continuation lines of an SXid repeat its code.
  if (/^(?:Severity \d|Data \{)/.test(text)) return OTHER;
  const severity = /^(Fatal|Non-fatal)\b/i.exec(text)?.[1]?.toLowerCase();
  const pci = normalizePciAddress(address);
  if (pci === null) return faultOf(`${address} is not a PCI address`);
  if (severity === undefined) return faultOf('the SXid is neither Fatal nor Non-fatal');
  return { kind: 'sxid', pci, code: Number(number), fatal: severity === 'fatal', text };
}

/** Parses an error of an NVSwitch in the log of the fabric manager. */
function readSwitchError({ address = '', number = '', severity, text = '' }: Groups): Message {
  const pci = normalizePciAddress(address);
  if (pci === null) return faultOf(`${address} is not a PCI address`);
  return { kind: 'sxid', pci, code: Number(number), fatal: severity === 'fatal', text };
}

function readInitFailure({ address = '', text = '' }: Groups): Message {
  return { kind: 'init_failure', pci: normalizePciAddress(address), text };
}

function readDevice({ address = '', text = '' }: Groups): Message {
  const pci = normalizePciAddress(address);
  if (pci === null) return FAULT_WITHOUT_XID.test(address + text) ? WITHOUT_ADDRESS : OTHER;
  return { kind: text.includes('fallen off the bus') ? 'bus_loss' : 'device', pci };
}

function faultOf(fault: string): Message {
  return { kind: 'fault', fault };
}
