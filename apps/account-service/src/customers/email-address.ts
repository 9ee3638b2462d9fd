import { domainToASCII } from 'node:url';

/** An e-mail address in the one form in which it is stored and compared. */
export interface EmailAddress {
  /** Lower case, its domain in IDNA's ASCII form. */
  address: string;
  domain: string;
}

/**
 * Reads an address as providers and operators write it. Quoted local parts and addresses past 254 characters
 * (RFC 5321, section 4.5.3.1) are none that we take.
 *
 * @returns null when it is no address
 */
export function parseEmailAddress(text: string): EmailAddress | null {
  const match = /^([^\s@"\p{C}]{1,64})@([^\s@]+)$/u.exec(text);
  if (!match || text.length > 254) return null;
  const domain = normaliseDomain(match[2] as string);
  return domain === null ? null : { address: `${match[1]?.toLowerCase()}@${domain}`, domain };
}

/** @returns lower case, in IDNA's ASCII form; null when it is no domain */
export function normaliseDomain(text: string): string | null {
  const domain = domainToASCII(text);
  return /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(domain) &&
    domain.length <= 253
    ? domain
    : null;
}
