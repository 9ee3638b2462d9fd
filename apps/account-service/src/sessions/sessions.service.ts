import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import type { Database } from '@gpu-observatory/service-runtime';
import { audit, type Origin } from '../audit/audit.ts';
import { addSeconds, type Clock } from '../clock/clock.ts';
import { lockCustomer } from '../customers/customer-lock.ts';
import { revoke } from '../revocations/revocations.queries.ts';
import { hashToken, isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';
import type { AccessTokens, IssuedAccessToken } from './access-tokens.ts';
import { SESSION_TTL_SECONDS } from './lifetimes.ts';
import {
  endSession,
  findAccess,
  findCustomerOfUser,
  findSessionByRefreshToken,
  findSessionIdsByRefreshTokens,
  insertSession,
  recordRefresh,
  type SessionRow,
} from './sessions.queries.ts';

/** Starts, refreshes and ends sessions (`docs/account-service.md#sessions`). */
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly clock: Clock,
  ) {}

  /** @returns null when the user may not sign in */
  async start(userId: number, provider: string, origin: Origin): Promise<SessionTokens | null> {
    const user = await findCustomerOfUser(this.database, userId);
    if (!user) return null;
    const { customer_id: customerId } = user;
    await this.waitPastRevocation(user.revoked_at);
    const refreshToken = newOpaqueToken();
    return this.database.transaction(async (transaction) => {
      await lockCustomer(transaction, customerId, 'shared');
      // Read under the lock: the time lies after every earlier revocation and before every later one.
      const now = await this.clock.databaseNow(transaction);
      const access = await findAccess(transaction, userId, provider);
      if (access === null) return null;
      const session = { id: randomUUID(), userId, provider, expiresAt: addSeconds(now, SESSION_TTL_SECONDS) };
      await insertSession(transaction, {
        ...session,
        refreshTokenHash: hashToken(refreshToken),
        signedInAt: now,
      });
      await audit(
        transaction,
        {
          action: 'signed_in',
          actor: `user:${userId}`,
          customerId,
          userId,
          detail: { provider, session: session.id },
        },
        origin,
      );
      return toSessionTokens(await this.accessTokens.issue(session, access, now), refreshToken);
    });
  }

  /**
   * Issues a new access token for the same session and refresh token (`docs/account-service.md#refresh`). The access of
   * the user is read again.
   *
   * @throws {DomainError} 401 Invalid Refresh Token when it is unknown, expired or its session has ended
   */
  async refresh(refreshToken: unknown, origin: Origin): Promise<SessionTokens> {
    const hash = isOpaqueToken(refreshToken) ? hashToken(refreshToken) : null;
    const found = hash && (await findSessionByRefreshToken(this.database, hash));
    const issued = hash && found ? await this.reissue(hash, found) : null;
    if (issued !== null) return toSessionTokens(issued, refreshToken as string);
    await audit(
      this.database,
      {
        action: 'refresh_rejected',
        actor: 'anonymous',
        ...(found && { userId: found.user_id, customerId: found.customer_id }),
      },
      origin,
    );
    throw new DomainError(
      accountErrors.invalidRefreshToken,
      'The refresh token is unknown or expired, or its session has ended; sign in again.',
    );
  }

  /** Ends a session in every service. Does nothing for an unknown or ended session. */
  async end(sessionId: string, origin: Origin): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const ended = await endSession(transaction, sessionId, 'sign-out');
      if (!ended) return;
      await revoke(transaction, 'session', [sessionId]);
      await audit(
        transaction,
        {
          action: 'signed_out',
          actor: `user:${ended.user_id}`,
          userId: ended.user_id,
          detail: { session: sessionId },
        },
        origin,
      );
    });
  }

  /** Returns the ids of the sessions of the refresh tokens; unknown tokens are ignored. */
  async findByRefreshTokens(refreshTokens: readonly unknown[]): Promise<string[]> {
    const hashes = refreshTokens.filter(isOpaqueToken).map(hashToken);
    return hashes.length === 0 ? [] : findSessionIdsByRefreshTokens(this.database, hashes);
  }

  /** @returns null when the session has ended, or its user may no longer sign in */
  private async reissue(hash: Buffer, found: SessionRow): Promise<IssuedAccessToken | null> {
    if (found.ended_at === null) await this.waitPastRevocation(found.revoked_at);
    return this.database.transaction(async (transaction) => {
      await lockCustomer(transaction, found.customer_id, 'shared');
      const now = await this.clock.databaseNow(transaction);
      // Read again under the lock, since the user may have changed while waiting for it.
      const session = await findSessionByRefreshToken(transaction, hash);
      if (!session || session.ended_at !== null || addSeconds(now, 1) > session.expires_at) return null;
      const access = await findAccess(transaction, session.user_id, session.provider);
      if (access === null) return null;
      await recordRefresh(transaction, session.id, now);
      const { id, user_id: userId, expires_at: expiresAt } = session;
      return this.accessTokens.issue({ id, userId, expiresAt }, access, now);
    });
  }

  /**
   * Waits for the next second after a revocation. `iat` has a resolution of one second, so a token issued in the second
   * of a revocation would be rejected as an older one.
   */
  private async waitPastRevocation(revokedAt: Date | null): Promise<void> {
    if (revokedAt === null) return;
    const now = await this.clock.databaseNow(this.database);
    const waitMs = Math.ceil(revokedAt.getTime() / 1000) * 1000 - now.getTime();
    // Timers can fire up to a millisecond early.
    if (waitMs > 0) await sleep(Math.min(waitMs + 5, 1_000));
  }
}

function toSessionTokens(
  { token, expiresInSeconds }: IssuedAccessToken,
  refreshToken: string,
): SessionTokens {
  return {
    access_token: token,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
  };
}
