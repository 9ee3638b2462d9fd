import { domainToASCII } from 'node:url';

/**
 * Labels have at most 63 characters (https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4). The last label is not
 * numeric, which excludes IP addresses.
 */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Email address in canonical form, for storage and comparison. */
export interface EmailAddress {
  /** Lower case, with the domain in IDNA ASCII form. */
  address: string;
  domain: string;
}

/**
 * Parses an address. Rejects quoted local parts and addresses of more than 254 characters
 * (https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1).
 *
 * @returns null for an invalid address
 */
export function parseEmailAddress(text: string): EmailAddress | null {
  const [, localPart, host] = /^([^\s@"\p{C}]{1,64})@([^\s@]+)$/u.exec(text) ?? [];
  if (localPart === undefined || host === undefined || text.length > 254) return null;
  const domain = normalizeDomain(host);
  return domain === null ? null : { address: `${asciiLowerCase(localPart)}@${domain}`, domain };
}

/** Returns the domain of an address in canonical form. */
export const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/**
 * Converts a domain to lower case and IDNA ASCII form. `domainToASCII` extracts a host from a longer text: it turns
 * `acme.example/x`, `acme.example#x` and `acme%2eexample` into `acme.example`. So any other ASCII character than
 * letters, digits, hyphens and dots is rejected first.
 *
 * @returns null for an invalid domain
 */
export function normalizeDomain(text: string): string | null {
  if (!/^(?:[A-Za-z0-9.-]|\P{ASCII})+$/u.test(text)) return null;
  const domain = domainToASCII(text);
  const isDomain = DOMAIN.test(domain) && domain.length <= 253;
  return isDomain ? domain : null;
}

/**
 * Lower-cases ASCII letters only. Elsewhere two letters can share a lower case: the Kelvin sign lower-cases
 * to k.
 */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
