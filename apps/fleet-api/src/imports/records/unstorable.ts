import { JSON_DEPTH } from './limits.ts';

/**
 * What no field of a record may hold, however deep: NUL, which PostgreSQL stores in no text; a lone surrogate, which is
 * no text; a number too large for one, which would come back as null; and a depth that would exhaust whoever walks it.
 *
 * @returns what is wrong, or null
 */
export function unstorable(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'a text contains a NUL character';
    return value.isWellFormed() ? null : 'a text is not well-formed Unicode (a lone surrogate)';
  }
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'a number is too large for one';
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= JSON_DEPTH) return `the record is nested deeper than ${JSON_DEPTH}`;
  for (const name in value) {
    const fault = unstorable(name, depth) ?? unstorable((value as Record<string, unknown>)[name], depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
