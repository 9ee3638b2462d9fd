import { recoveryActionName } from './recovery-action.ts';

/** Properties of an XID in its message, which the code does not have. */
export interface XidVariant {
  /** Unit of an NVLink error, such as RLW_REMAP. */
  unit?: string;
  level?: 'Fatal' | 'Nonfatal';
  /** Error status of an NVLink error. */
  status?: number;
  /** Recovery action of XID 154, as the XID catalog names it. */
  recovery?: string;
  /** The same action in the words of the driver, which depend on its version. */
  words?: string;
}

/** `RLW_REMAP Nonfatal XC0 i0 Link 00 (0x00000004 0x00000100 …)`: unit, level and, as the second number, the status. */
const NVLINK = /^(\S+)\s+(Fatal|Non-?fatal)\b(?:[^(]*\(0x[0-9a-f]+ (0x[0-9a-f]+))?/i;
/** `GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)`, or without the numbers. */
const RECOVERY = /^GPU recovery action changed from .*? to (?:0x(?<number>[0-9a-f]+))? ?\(?(?<words>[^)]*)/i;
const CAUSE = /\bcaused by previous Xid (\d{1,6})\b/i;

/** Parses the message of an NVLink error (XID 144 to 150) or of a recovery action (154). @returns null for another code or message */
export function readXidVariant(code: number, message: string): XidVariant | null {
  if (code === 154) return readRecovery(message);
  return code >= 144 && code <= 150 ? readNvlinkError(message) : null;
}

function readRecovery(message: string): XidVariant | null {
  const { number, words = '' } = RECOVERY.exec(message)?.groups ?? {};
  // The number decides: 0x2 is "Node Reboot Required" in driver 580 and "OS Reboot" in driver 610.
  const recovery =
    number === undefined ? words : (recoveryActionName(Number.parseInt(number, 16)) ?? 'Unknown');
  return recovery === '' ? null : { recovery, words: words || recovery };
}

function readNvlinkError(message: string): XidVariant | null {
  const [, unit, level, status] = NVLINK.exec(message) ?? [];
  if (unit === undefined || level === undefined) return null;
  return {
    unit,
    level: level.toLowerCase() === 'fatal' ? 'Fatal' : 'Nonfatal',
    ...(status === undefined ? {} : { status: Number(status) }),
  };
}

/** Returns the part of a variant that distinguishes events of one code and time; empty without a variant. */
export function xidVariantKey(code: number, message: string): string {
  const variant = readXidVariant(code, message);
  return variant?.words ?? variant?.level ?? '';
}

/** Returns the XID that caused an XID 45, which cleans up the channels of a GPU after it; null if the message has none. */
export function causeOfXid(code: number, message: string): number | null {
  const cause = code === 45 ? CAUSE.exec(message)?.[1] : undefined;
  return cause === undefined ? null : Number(cause);
}
