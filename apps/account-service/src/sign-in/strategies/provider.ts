import { toOneLine } from '../../requests/one-line.ts';
import type { ProviderId } from '../sign-in-methods.ts';

/** Account at a provider, with an email address that the provider has verified. */
export interface ProviderIdentity {
  provider: ProviderId;
  /** Account id at the provider, which is never reassigned. */
  subject: string;
  /** Unnormalized. */
  email: string;
  name: string;
  /** URL of a picture, or empty. */
  avatar: string;
  /** `hd` of Google: the Workspace domain of the account. */
  workspaceDomain?: string;
}

/** The provider returned no verified email address. */
export class EmailNotVerified extends Error {
  override readonly name = 'EmailNotVerified';
}

/** The provider did not respond, or its response is invalid. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';
}

/**
 * Returns whether a claim is an account id: at most 255 ASCII characters (OpenID Connect Core 1.0, section 2), none of them a
 * control character or a space.
 */
export function isSubject(claim: unknown): claim is string {
  return typeof claim === 'string' && /^[\x21-\x7e]{1,255}$/.test(claim);
}

/** Returns whether a claim is true. Some providers send it as a string, for example Amazon Cognito and Apple. */
export function isTrue(claim: unknown): boolean {
  return claim === true || claim === 'true';
}

/**
 * Sanitizes text from a provider for storage: well-formed, on one line, truncated. Empty when the value
 * is no string.
 */
export function plainText(value: unknown, maxLength: number): string {
  return typeof value === 'string'
    ? toOneLine(value.toWellFormed()).trim().slice(0, maxLength).toWellFormed()
    : '';
}

/** Returns the URL of a picture, or empty when it is not an http URL. */
export function pictureUrl(value: unknown): string {
  const text = plainText(value, 2_048);
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : '';
}
