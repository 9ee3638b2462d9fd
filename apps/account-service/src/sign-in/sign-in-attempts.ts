import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@gpu-observatory/service-runtime/process';
import { AccountConfig } from '../config/account.config.ts';
import { hashToken, isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';
import { Encryptor } from '../secrets/encryptor.ts';
import type { ProviderId } from './sign-in-methods.ts';

/** Time for the user to complete the sign-in at the provider. */
export const ATTEMPT_TTL_SECONDS = 600;

/** Encryption purpose of PKCE code verifiers. */
const CODE_VERIFIER_PURPOSE = 'code verifier';

interface SignInAttempt {
  frontendUrl: string;
  /** PKCE verifier of this service, for the provider. */
  codeVerifier: string;
  /** PKCE challenge of the client, for the exchange of the code. */
  codeChallenge: string | null;
}

export interface ConsumedAttempt extends SignInAttempt {
  provider: ProviderId;
  browserHash: Buffer;
}

/**
 * Sign-ins between the redirect to the provider and its callback. Each is identified by its `state`, bound to the
 * browser that started it (by a secret in a cookie), and usable once: a leaked `state`, or one planted in another
 * browser, is useless.
 */
@Injectable()
export class SignInAttempts {
  private readonly encryptor: Encryptor;

  constructor(
    private readonly database: Database,
    @Inject(AccountConfig) { tokens }: Pick<AccountConfig, 'tokens'>,
  ) {
    this.encryptor = new Encryptor(tokens.signingKeySecrets, CODE_VERIFIER_PURPOSE);
  }

  /** @returns the `state` parameter for the provider */
  async start(
    provider: ProviderId,
    browserSecret: string,
    { frontendUrl, codeVerifier, codeChallenge }: SignInAttempt,
  ): Promise<string> {
    const state = newOpaqueToken();
    await this.database.query({
      name: 'start-sign-in-attempt',
      text: `INSERT INTO account.sign_in_attempts
               (state_hash, browser_hash, provider, encrypted_code_verifier, frontend_url, code_challenge, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7))`,
      values: [
        hashToken(state),
        hashToken(browserSecret),
        provider,
        this.encryptor.encrypt(codeVerifier),
        frontendUrl,
        codeChallenge,
        ATTEMPT_TTL_SECONDS,
      ],
    });
    return state;
  }

  /** @returns null when this browser started no such sign-in, or the sign-in is used or expired */
  async consume(
    provider: ProviderId,
    browserSecret: unknown,
    state: unknown,
  ): Promise<ConsumedAttempt | null> {
    if (!isOpaqueToken(browserSecret) || !isOpaqueToken(state)) return null;
    const browserHash = hashToken(browserSecret);
    const [row] = await this.database.query<SignInAttempt & { encrypted: Buffer; expired: boolean }>({
      name: 'consume-sign-in-attempt',
      text: `DELETE FROM account.sign_in_attempts
              WHERE state_hash = $1 AND browser_hash = $2 AND provider = $3
             RETURNING encrypted_code_verifier AS encrypted, frontend_url AS "frontendUrl",
                       code_challenge AS "codeChallenge", expires_at <= clock_timestamp() AS expired`,
      values: [hashToken(state), browserHash, provider],
    });
    if (!row || row.expired) return null;
    const { frontendUrl, codeChallenge, encrypted } = row;
    const codeVerifier = this.encryptor.decrypt(encrypted);
    return { provider, browserHash, frontendUrl, codeVerifier, codeChallenge };
  }
}
