/** Properties of an XID that its message has in addition to the code. */
export interface XidVariant {
  /** Unit of an NVLink error, such as RLW_REMAP. */
  unit?: string;
  level?: 'Fatal' | 'Nonfatal';
  /** Error status of an NVLink error. */
  status?: number;
  /** Recovery action of XID 154. */
  recovery?: string;
}

const NVLINK = /^(\S+)\s+(Fatal|Non-?fatal)\b(?:[^(]*\(0x[0-9a-f]+ (0x[0-9a-f]+))?/i;
const RECOVERY = /^GPU recovery action changed from .*? to 0x[0-9a-f]+ \(([^)]*)\)/i;

/** Parses the message of an XID 144 to 150 or 154. @returns null for another code or message */
export function readXidVariant(code: number, message: string): XidVariant | null {
  if (code === 154) {
    const recovery = RECOVERY.exec(message)?.[1];
    return recovery === undefined ? null : { recovery };
  }
  if (code < 144 || code > 150) return null;
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
  return variant?.recovery ?? variant?.level ?? '';
}
