import { JSON_DEPTH } from './limits.ts';

/**
 * Checks for values that no field may have: NUL, which PostgreSQL cannot store in text; lone surrogates; numbers that JSON.parse
 * converted to Infinity; nesting beyond the limit.
 *
 * @returns the fault, or null
 */
export function unstorableFault(value: unknown, depth = 0): string | null {
  switch (typeof value) {
    case 'string':
      if (value.includes('\0')) return 'a text contains a NUL character';
      return value.isWellFormed() ? null : 'a text is not well-formed Unicode (a lone surrogate)';
    case 'number':
      return Number.isFinite(value) ? null : 'a number is out of range';
    case 'object':
      return value === null ? null : memberFault(value, depth);
    default:
      return null;
  }
}

function memberFault(value: object, depth: number): string | null {
  if (depth >= JSON_DEPTH) return `the record is nested deeper than ${JSON_DEPTH}`;
  if (Array.isArray(value)) {
    for (const member of value) {
      const fault = unstorableFault(member, depth + 1);
      if (fault !== null) return fault;
    }
    return null;
  }
  const members = value as Record<string, unknown>;
  for (const name in members) {
    // The schema checks the field names of the record itself.
    const fault = (depth === 0 ? null : unstorableFault(name)) ?? unstorableFault(members[name], depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
