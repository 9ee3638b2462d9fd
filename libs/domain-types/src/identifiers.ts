const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID of any version in canonical form (RFC 9562). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Largest numeric id: the maximum of PostgreSQL's integer. A larger one is valid and matches no row (docs/services.md#integers). */
export const MAX_ID = 2 ** 31 - 1;

/**
 * Parses an integer of at least 1: decimal digits without sign, space, exponent or leading zero (docs/services.md#integers).
 * Values above 2^53 lose precision but stay larger than any stored value.
 *
 * @returns null for any other text
 */
export function parsePositiveInteger(text: string): number | null {
  return /^[1-9][0-9]*$/.test(text) ? Number(text) : null;
}
