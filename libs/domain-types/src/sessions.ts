/** Response to a code exchange or a refresh (docs/account-service.md#authorization-codes). */
export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  token_type: 'Bearer';
  /** Seconds until the access token expires. */
  expires_in: number;
}

/** The signed-in user, under the key `user` of `GET /me`. */
export interface User {
  id: number;
  email: string;
  name: string;
  /** A picture's URL; empty when the provider gave none. */
  avatar: string;
}

/** What a revocation ends: one session, all of a user's or a customer's tokens, or a signing key's. */
export const REVOCATION_KINDS = ['session', 'user', 'customer', 'signing_key'] as const;
export type RevocationKind = (typeof REVOCATION_KINDS)[number];

/** One entry of the revocation feed: tokens of `id` issued before `not_before` (RFC 3339) no longer count. */
export interface Revocation {
  kind: RevocationKind;
  id: string;
  not_before: string;
}
