/** Response to a code exchange or a refresh (docs/account-service.md#authorization-codes). */
export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  token_type: 'Bearer';
  /** Seconds until the access token expires. */
  expires_in: number;
}

/** The signed-in user. */
export interface User {
  id: number;
  email: string;
  name: string;
  /** URL of a picture; empty if the provider has none. */
  avatar: string;
}

/** Scope of a revocation: the tokens of one session, user, customer or signing key. */
export const REVOCATION_KINDS = ['session', 'user', 'customer', 'signing_key'] as const;
export type RevocationKind = (typeof REVOCATION_KINDS)[number];

/** An entry of the revocation feed: tokens of `id` issued before `not_before` (RFC 3339) are invalid. */
export interface Revocation {
  kind: RevocationKind;
  id: string;
  not_before: string;
}
