import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import type { Database } from '@gpu-observatory/service-runtime';
import { audit, type Origin } from '../audit/audit.ts';
import { after, type Clock } from '../clock/clock.ts';
import { lockCustomer } from '../customers/customer-lock.ts';
import { revoke } from '../revocations/revocations.queries.ts';
import { hashOf, isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';
import type { AccessTokens, IssuedAccessToken } from './access-tokens.ts';
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

/** Contract, section 8: a session ends 24 hours after sign-in, however often it is refreshed. */
export const SESSION_TTL_SECONDS = 24 * 3600;

/** Begins, refreshes and ends sessions. */
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly clock: Clock,
  ) {}

  /** @returns null when the user may not be here (any more) */
  async begin(userId: number, provider: string, origin: Origin): Promise<SessionTokens | null> {
    const user = await findCustomerOfUser(this.database, userId);
    if (!user) return null;
    const { customer_id: customerId } = user;
    await this.pastTheSecondOf(user.revoked_at);
    const now = this.clock.now();
    const session = { id: randomUUID(), userId, provider, expiresAt: after(now, SESSION_TTL_SECONDS) };
    const refreshToken = newOpaqueToken();
    return this.database.transaction(async (transaction) => {
      await lockCustomer(transaction, customerId, 'shared');
      const access = await findAccess(transaction, userId, provider);
      if (access === null) return null;
      await insertSession(transaction, {
        ...session,
        refreshTokenHash: hashOf(refreshToken),
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
      return tokensOf(await this.accessTokens.issue(session, access, now), refreshToken);
    });
  }

  /**
   * A new access token for the same session and the same refresh token (decisions, section 3, Refresh). Who the user is
   * and what they may see is read anew.
   *
   * @throws {DomainError} 401 Invalid Refresh Token when it is unknown, expired or its session has ended
   */
  async refresh(refreshToken: unknown, origin: Origin): Promise<SessionTokens> {
    const hash = isOpaqueToken(refreshToken) ? hashOf(refreshToken) : null;
    const found = hash && (await findSessionByRefreshToken(this.database, hash));
    const issued = hash && found ? await this.reissue(hash, found) : null;
    if (issued !== null) return tokensOf(issued, refreshToken as string);
    await audit(
      this.database,
      {
        action: 'refresh_refused',
        actor: 'anonymous',
        ...(found && { userId: found.user_id, customerId: found.customer_id }),
      },
      origin,
    );
    throw new DomainError(
      accountErrors.invalidRefreshToken,
      'The refresh token is not known, has expired or its session has ended; sign in again.',
    );
  }

  /** Ends a session for every service. One that has ended, or never was, is left as it is. */
  async end(sessionId: string, origin: Origin): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const ended = await endSession(transaction, sessionId, 'sign-out', this.clock.now());
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

  /** The sessions of those of these refresh tokens that have one. */
  async ofRefreshTokens(refreshTokens: readonly unknown[]): Promise<string[]> {
    const hashes = refreshTokens.filter(isOpaqueToken).map(hashOf);
    return hashes.length === 0 ? [] : findSessionIdsByRefreshTokens(this.database, hashes);
  }

  /** @returns null when the session is over, or its user may not be here any more */
  private async reissue(hash: Buffer, found: SessionRow): Promise<IssuedAccessToken | null> {
    if (found.ended_at === null) await this.pastTheSecondOf(found.revoked_at);
    const now = this.clock.now();
    return this.database.transaction(async (transaction) => {
      await lockCustomer(transaction, found.customer_id, 'shared');
      // Read again under the lock: who changes people waits for us, or we for them.
      const session = await findSessionByRefreshToken(transaction, hash);
      if (!session || session.ended_at !== null || after(now, 1) > session.expires_at) return null;
      const access = await findAccess(transaction, session.user_id, session.provider);
      if (access === null) return null;
      await recordRefresh(transaction, session.id, now);
      const { id, user_id: userId, expires_at: expiresAt } = session;
      return this.accessTokens.issue({ id, userId, expiresAt }, access, now);
    });
  }

  /**
   * A token says in whole seconds when it was issued, so in the second of a revocation a new one would be taken for an
   * old one and be refused: who lost a workspace just now, and asks for the rest, waits for the next second.
   */
  private async pastTheSecondOf(revokedAt: Date | null): Promise<void> {
    if (revokedAt === null) return;
    const waitMs = Math.ceil(revokedAt.getTime() / 1000) * 1000 - this.clock.now().getTime();
    // A timer may fire a millisecond before the clock says so.
    if (waitMs > 0) await sleep(Math.min(waitMs + 5, 1_000));
  }
}

function tokensOf({ token, expiresInSeconds }: IssuedAccessToken, refreshToken: string): SessionTokens {
  return {
    access_token: token,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
  };
}
