import type { StateStore } from 'passport-oauth2';
import type { SignInStateStore } from './sign-in-state-store.ts';

/** Returns the options that every strategy on passport-oauth2 has. */
export function oauthOptions(callbackUrl: string, store: SignInStateStore) {
  return {
    callbackURL: callbackUrl,
    pkce: true,
    // The published types lack the signature of a store with PKCE.
    store: store as unknown as StateStore,
  };
}
