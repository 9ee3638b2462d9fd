import type { Database } from '@gpu-observatory/service-runtime';
import { after, type Clock } from '../clock/clock.ts';
import { hashOf, isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';
import type { Seal } from '../secrets/seal.ts';
import type { ProviderId } from './providers/provider.ts';

/** How long a person may take at the provider (decisions, section 3, Provider leg). */
export const ATTEMPT_TTL_SECONDS = 600;

/** What sealed code verifiers are sealed for. */
export const CODE_VERIFIER_PURPOSE = 'code verifier';

/** A sign-in that began and has not come back yet. */
export interface SignInAttempt {
  frontendUrl: string;
  codeVerifier: string;
}

/**
 * Sign-ins between the start and the callback. Each is known by its `state`, belongs to the browser that began it (a
 * secret in a cookie), and is taken once: a state that leaked, or was planted in another browser, opens nothing.
 */
export class SignInAttempts {
  constructor(
    private readonly database: Database,
    private readonly seal: Seal,
    private readonly clock: Clock,
  ) {}

  /** @returns the `state` for the provider */
  async begin(
    provider: ProviderId,
    browserSecret: string,
    { frontendUrl, codeVerifier }: SignInAttempt,
  ): Promise<string> {
    const state = newOpaqueToken();
    await this.database.query({
      name: 'begin-sign-in-attempt',
      text: `INSERT INTO account.sign_in_attempts
               (state_hash, browser_hash, provider, sealed_code_verifier, frontend_url, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6)`,
      values: [
        hashOf(state),
        hashOf(browserSecret),
        provider,
        this.seal.close(codeVerifier),
        frontendUrl,
        after(this.clock.now(), ATTEMPT_TTL_SECONDS),
      ],
    });
    return state;
  }

  /** @returns null when this browser began no such sign-in, or it was taken before, or is too old */
  async take(provider: ProviderId, browserSecret: unknown, state: unknown): Promise<SignInAttempt | null> {
    if (!isOpaqueToken(browserSecret) || !isOpaqueToken(state)) return null;
    const [taken] = await this.database.query<{
      sealed_code_verifier: Buffer;
      frontend_url: string;
      expires_at: Date;
    }>({
      name: 'take-sign-in-attempt',
      text: `DELETE FROM account.sign_in_attempts
              WHERE state_hash = $1 AND browser_hash = $2 AND provider = $3
             RETURNING sealed_code_verifier, frontend_url, expires_at`,
      values: [hashOf(state), hashOf(browserSecret), provider],
    });
    if (!taken || taken.expires_at <= this.clock.now()) return null;
    return { frontendUrl: taken.frontend_url, codeVerifier: this.seal.open(taken.sealed_code_verifier) };
  }
}
