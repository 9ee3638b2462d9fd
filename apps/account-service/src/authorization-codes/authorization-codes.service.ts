import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '@gpu-observatory/service-runtime/process';
import type { SignInMethodId } from '../sign-in/sign-in-methods.ts';
import { hashToken, isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';
import { matchesChallenge } from './code-challenge.ts';

/** Codes are valid for 60 s and single use (`docs/account-service.md#authorization-codes`). */
export const CODE_TTL_SECONDS = 60;

/** Sign-in that an authorization code belongs to. */
interface CodeOwner {
  userId: number;
  signInMethod: SignInMethodId;
  frontendUrl: string;
  /** PKCE challenge of the client, if it sent one. */
  codeChallenge: string | null;
  /** Hash of the secret in a cookie of the browser that started the sign-in. */
  browserHash: Buffer;
}

export interface ConsumedCode extends CodeOwner {
  hash: Buffer;
  expired: boolean;
}

/** Consumed code, the owner of one that was consumed before, or null for an unknown code. */
export type CodeResult = ConsumedCode | { replayedUserId: number } | null;

/** Evidence that the caller of the exchange started the sign-in. */
interface ExchangeEvidence {
  browserSecret: string | undefined;
  codeVerifier: unknown;
}

const CODE_COLUMNS = `user_id AS "userId", sign_in_method AS "signInMethod", frontend_url AS "frontendUrl",
                    browser_hash AS "browserHash", code_challenge AS "codeChallenge"`;

/** Authorization codes: 256 random bits, stored as a hash. */
@Injectable()
export class AuthorizationCodes {
  constructor(private readonly database: Database) {}

  async issue(code: CodeOwner): Promise<string> {
    const text = newOpaqueToken();
    await this.database.query({
      name: 'issue-authorization-code',
      text: `INSERT INTO account.authorization_codes
               (code_hash, user_id, sign_in_method, frontend_url, browser_hash, code_challenge, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(secs => $7))`,
      values: [
        hashToken(text),
        code.userId,
        code.signInMethod,
        code.frontendUrl,
        code.browserHash,
        code.codeChallenge,
        CODE_TTL_SECONDS,
      ],
    });
    return text;
  }

  /**
   * Consumes a code in one separate statement: of concurrent attempts only one gets it, and the code stays burned
   * whatever else is wrong with the attempt.
   */
  async consume(text: unknown): Promise<CodeResult> {
    if (!isOpaqueToken(text)) return null;
    const hash = hashToken(text);
    const [row] = await this.database.query<Omit<ConsumedCode, 'hash'> & { replayed: boolean }>({
      name: 'consume-authorization-code',
      text: `WITH consumed AS (
               UPDATE account.authorization_codes SET consumed_at = clock_timestamp()
                WHERE code_hash = $1 AND consumed_at IS NULL
               RETURNING *)
             SELECT ${CODE_COLUMNS}, false AS replayed, expires_at <= clock_timestamp() AS expired
               FROM consumed
             UNION ALL
             SELECT ${CODE_COLUMNS}, true, true
               FROM account.authorization_codes
              WHERE code_hash = $1 AND NOT EXISTS (SELECT FROM consumed)`,
      values: [hash],
    });
    if (!row) return null;
    const { replayed, ...code } = row;
    return replayed ? { replayedUserId: code.userId } : { ...code, hash };
  }
}

/**
 * Returns whether the sessions of the user ended after the code was issued. Read under the customer lock: the code may
 * have been consumed before, and the session not started yet.
 */
export async function isRevoked(
  transaction: Queryable,
  { hash }: Pick<ConsumedCode, 'hash'>,
): Promise<boolean> {
  const revoked = await transaction.query({
    name: 'is-code-revoked',
    text: 'SELECT FROM account.authorization_codes WHERE code_hash = $1 AND revoked_at IS NOT NULL',
    values: [hash],
  });
  return revoked.length > 0;
}

/**
 * Returns whether the caller of the exchange started the sign-in. Otherwise a code that an attacker planted in the
 * browser of another user would sign that user in as the attacker. PKCE is enforced where the client used it; cookie mode
 * needs PKCE or the browser’s cookie.
 */
export function startedSignIn(
  code: ConsumedCode,
  { browserSecret, codeVerifier }: ExchangeEvidence,
  mode: 'json' | 'cookies',
): boolean {
  if (code.codeChallenge !== null || codeVerifier !== undefined) {
    return matchesChallenge(code.codeChallenge, codeVerifier);
  }
  return (
    mode === 'json' || (isOpaqueToken(browserSecret) && hashToken(browserSecret).equals(code.browserHash))
  );
}
