import { parseEmailAddress } from '../../tenants/email-address.ts';
import { isTrue } from './provider.ts';

/** Claims of an ID token or of userinfo. */
type Claims = Readonly<Record<string, unknown>>;

/** Values of `xms_edov` of Entra ID for an address that the owner of its domain verified. */
const DOMAIN_OWNER_VERIFIED: readonly unknown[] = [true, 'true', 1, '1'];

/**
 * Returns the email address of the claims when the provider verified it. The address and its verification must come from
 * the same claims. Entra ID sends `xms_edov` in place of `email_verified`:
 * https://learn.microsoft.com/en-us/entra/identity-platform/optional-claims-reference
 *
 * @param trustedDomains domains whose addresses count as verified
 */
export function verifiedEmail(
  { email, email_verified: verified, xms_edov: domainOwnerVerified }: Claims,
  trustedDomains: readonly string[],
): string | undefined {
  if (typeof email !== 'string') return undefined;
  if (isTrue(verified)) return email;
  if (verified === undefined && DOMAIN_OWNER_VERIFIED.includes(domainOwnerVerified)) return email;
  const domain = parseEmailAddress(email)?.domain;
  return domain !== undefined && trustedDomains.includes(domain) ? email : undefined;
}

/** Returns whether userinfo may have what the ID token lacks (OpenID Connect Core 1.0, section 5.4). */
export function lacksEmailClaims({ email, email_verified: verified }: Claims): boolean {
  return email === undefined || verified === undefined;
}

/** Describes which claim is missing or unusable, without its value, for the log. */
export function describeEmailClaims({ email, email_verified: verified }: Claims): string {
  if (typeof email !== 'string') return `email is ${email === undefined ? 'missing' : 'no string'}`;
  return `email_verified is ${verified === undefined ? 'missing' : 'not true'}`;
}
