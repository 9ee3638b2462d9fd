import { domainToASCII } from 'node:url';

/** Labels of 63 characters at most (RFC 1035, section 2.3.4), the last of which is no number: that would be an address. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

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
  const [, localPart, host] = /^([^\s@"\p{C}]{1,64})@([^\s@]+)$/u.exec(text) ?? [];
  if (localPart === undefined || host === undefined || text.length > 254) return null;
  const domain = normaliseDomain(host);
  return domain === null ? null : { address: `${asciiLowerCase(localPart)}@${domain}`, domain };
}

/**
 * Node's own conversion takes a host out of a longer text: of `acme.example/x`, `acme.example#x` and `acme%2eexample` it
 * makes `acme.example`. So what is no letter, digit, hyphen or dot among the ASCII characters is refused before it.
 *
 * @returns lower case, in IDNA's ASCII form; null when it is no domain
 */
export function normaliseDomain(text: string): string | null {
  if (!/^(?:[A-Za-z0-9.-]|\P{ASCII})+$/u.test(text)) return null;
  const domain = domainToASCII(text);
  const isDomain = DOMAIN.test(domain) && domain.length <= 253;
  return isDomain ? domain : null;
}

/** Of ASCII letters alone: in other alphabets two letters may have one lower case (the Kelvin sign's is k). */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
