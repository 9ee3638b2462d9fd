/** The providers there are, as URLs, tables and tenants files name them. */
export const PROVIDER_IDS = ['github', 'google'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Every way to sign in that a customer may be narrowed to. */
export const SIGN_IN_METHODS = [...PROVIDER_IDS, 'password'] as const;

/** What a provider vouches for: one of its accounts and the e-mail that it has verified for it. */
export interface ProviderIdentity {
  provider: ProviderId;
  /** The account's id there, which is never given to somebody else. */
  subject: string;
  /** As the provider writes it. */
  email: string;
  name: string;
  /** A picture's URL; empty when there is none. */
  avatar: string;
}

/** The provider knows the person, but vouches for no e-mail of theirs. */
export class EmailNotVerified extends Error {
  override readonly name = 'EmailNotVerified';
}

/** The provider did not answer, or not as it should. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed';
}

/** One way to sign in: a redirect to the provider, and what comes of the code it sends back. */
export interface Provider {
  readonly id: ProviderId;
  /** What a button calls it. */
  readonly title: string;
  /**
   * Where the browser goes next. `remember` is given the PKCE code verifier of this sign-in and answers its `state`.
   */
  authorizationUrl(remember: (codeVerifier: string) => Promise<string>): Promise<string>;
  /**
   * Redeems the provider's code and asks who it is.
   *
   * @throws {EmailNotVerified}
   * @throws {ProviderFailed}
   */
  identify(code: string, codeVerifier: string): Promise<ProviderIdentity>;
}

/** What a provider says as text, fit to be stored: no control characters, well-formed, not endless. */
export function plainText(value: unknown, maxLength: number): string {
  return typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, maxLength)
        .toWellFormed()
    : '';
}

/** A picture's address, or empty when it is none that a page may show. */
export function pictureUrl(value: unknown): string {
  const text = plainText(value, 2_048);
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : '';
}
