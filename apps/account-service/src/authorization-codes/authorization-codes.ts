import type { Queryable } from '@gpu-observatory/service-runtime';
import { after, type Clock } from '../clock/clock.ts';
import { hashOf, isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';

/** Contract, section 8: about 60 seconds, single use. */
export const CODE_TTL_SECONDS = 60;

/** What an authorization code stood for, once it is consumed. */
export interface ConsumedCode {
  userId: number;
  provider: string;
  frontendUrl: string;
  expired: boolean;
}

/** Authorization codes: 256 random bits of which only the hash is kept. */
export class AuthorizationCodes {
  constructor(
    private readonly database: Queryable,
    private readonly clock: Clock,
  ) {}

  async issue(code: { userId: number; provider: string; frontendUrl: string }): Promise<string> {
    const text = newOpaqueToken();
    await this.database.query({
      name: 'issue-authorization-code',
      text: `INSERT INTO account.authorization_codes (code_hash, user_id, provider, frontend_url, expires_at)
             VALUES ($1, $2, $3, $4, $5)`,
      values: [
        hashOf(text),
        code.userId,
        code.provider,
        code.frontendUrl,
        after(this.clock.now(), CODE_TTL_SECONDS),
      ],
    });
    return text;
  }

  /**
   * Takes a code for good, in one statement of its own: of any number of attempts one alone gets it, and whatever is
   * wrong with that attempt, the code is burned (contract, section 3).
   *
   * @returns null for a code that never was; `replayOf` for one that was consumed before
   */
  async consume(text: unknown): Promise<ConsumedCode | { replayOf: number } | null> {
    if (!isOpaqueToken(text)) return null;
    const now = this.clock.now();
    const [found] = await this.database.query<{
      replayed: boolean;
      user_id: number;
      provider: string;
      frontend_url: string;
      expires_at: Date;
    }>({
      name: 'consume-authorization-code',
      text: `WITH taken AS (
               UPDATE account.authorization_codes SET consumed_at = $2
                WHERE code_hash = $1 AND consumed_at IS NULL
               RETURNING user_id, provider, frontend_url, expires_at)
             SELECT false AS replayed, user_id, provider, frontend_url, expires_at FROM taken
             UNION ALL
             SELECT true, user_id, provider, frontend_url, expires_at
               FROM account.authorization_codes
              WHERE code_hash = $1 AND NOT EXISTS (SELECT FROM taken)`,
      values: [hashOf(text), now],
    });
    if (!found) return null;
    if (found.replayed) return { replayOf: found.user_id };
    return {
      userId: found.user_id,
      provider: found.provider,
      frontendUrl: found.frontend_url,
      expired: found.expires_at <= now,
    };
  }
}
