import type { Owner } from './fleet/fleet.ts';
import { rfc3339 } from './time.ts';

/** Builds the JSON line of a record. */
export function recordLine(kind: string, owner: Owner, at: number, fields: object): string {
  return JSON.stringify({ kind, ...owner, at: rfc3339(at), ...fields });
}

/** Rounds a reading; null stays null. */
export function rounded<Value extends number | null>(value: Value, digits = 0): Value {
  return (value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits) as Value;
}
