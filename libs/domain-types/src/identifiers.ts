const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in its canonical form (RFC 9562), of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/**
 * A plain decimal integer >= 1, the only form in which the contract takes identifiers and sizes: no sign, no
 * space, no exponent, no leading zero. Values past 2^53 lose digits but stay larger than anything stored.
 *
 * @returns the number, or null when the text is anything else
 */
export function parsePositiveInteger(text: string): number | null {
  return /^[1-9][0-9]*$/.test(text) ? Number(text) : null;
}
