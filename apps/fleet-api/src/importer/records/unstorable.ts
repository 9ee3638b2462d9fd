import { JSON_DEPTH } from './limits.ts';

/**
 * What no field of a record may hold, however deep: NUL, which PostgreSQL stores in no text; a lone surrogate, which is
 * no text; a number too large for one, which would come back as null; and a depth that would exhaust whoever walks it.
 *
 * @returns what is wrong, or null
 */
export function unstorable(value: unknown, depth = 0): string | null {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) return 'a text contains a NUL character';
      return value.isWellFormed() ? null : 'a text is not well-formed Unicode (a lone surrogate)';
    case 'number':
      return Number.isFinite(value) ? null : 'a number is too large for one';
    case 'object':
      return value === null ? null : unstorableMember(value, depth);
    default:
      return null;
  }
}

function unstorableMember(value: object, depth: number): string | null {
  if (depth >= JSON_DEPTH) return `the record is nested deeper than ${JSON_DEPTH}`;
  if (!Array.isArray(value)) {
    // The names of a record's own fields are its schema's business.
    const fault = depth === 0 ? null : unstorableMember(Object.keys(value), depth);
    if (fault !== null) return fault;
  }
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    const fault = unstorable(member, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
