import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { accountErrors, Database, DomainError } from '@gpu-observatory/service-runtime/process';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { audit, type Origin } from '../audit/audit.ts';
import { type ConsumedCode, isRevoked } from '../authorization-codes/authorization-codes.service.ts';
import { addSeconds } from '../clock/clock.ts';
import { lockCustomer } from '../tenants/customer-lock.ts';
import { endSessions } from '../revocations/end-sessions.ts';
import { Any } from 'typeorm';
import { hashToken, isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';
import { repository } from '../database/repositories.ts';
import { AccessTokens } from '../tokens/access-tokens.ts';
import { SignOutVerifier } from '../tokens/token-verifiers.ts';
import { endSession } from './end-session.ts';
import type { SessionTokenTexts } from './session-cookies.ts';
import { IS_ACTIVE, Session } from './session.entity.ts';
import { SESSION_TTL_SECONDS } from '../tokens/lifetimes.ts';
import {
  findAccess,
  findCustomerOfUser,
  findSessionByRefreshToken,
  type SessionRow,
} from './sessions.queries.ts';

/** The client that starts a session. */
interface SessionClient {
  origin: Origin;
  /** `User-Agent` of the request, for the session list. */
  userAgent: string | undefined;
  /** Ids of the sessions whose cookies the browser sent, sorted. They end when the new session starts. */
  replacedSessionIds: readonly string[];
}

/** Characters of `User-Agent` that are stored; those of browsers have about 120. */
const MAX_USER_AGENT_LENGTH = 256;

/** "Sign out everywhere" ends the others too. */
const MAX_LISTED_SESSIONS = 1_000;

/** Starts, lists, refreshes and ends sessions (`docs/account-service.md#sessions`). */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly signOutVerifier: SignOutVerifier,
    private readonly rejections: AnonymousRejections,
  ) {}

  /** @returns null when the user may not sign in, or has signed out everywhere since the code was issued */
  async start(code: ConsumedCode, client: SessionClient): Promise<SessionTokens | null> {
    const { userId, signInMethod } = code;
    const user = await findCustomerOfUser(this.database, userId);
    if (!user) return null;
    const { customer_id: customerId } = user;
    await waitPastRevocation(user.revoked_until_ms);
    const refreshToken = newOpaqueToken();
    return this.database.transaction(async (transaction) => {
      await lockCustomer(transaction, customerId, 'shared');
      // Read under the lock: the time is after every earlier revocation and before every later one.
      const found = await findAccess(transaction, userId, signInMethod);
      if (found === null || (await isRevoked(transaction, code))) return null;
      const { access, readAt: now } = found;
      const session = {
        id: randomUUID(),
        userId,
        refreshToken,
        expiresAt: addSeconds(now, SESSION_TTL_SECONDS),
      };
      await repository(transaction, Session).insert({
        id: session.id,
        user_id: userId,
        sign_in_method: signInMethod,
        refresh_token_hash: hashToken(refreshToken),
        signed_in_at: now,
        expires_at: session.expiresAt,
        user_agent: (client.userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH),
        network: client.origin.network,
      });
      const detail = { method: signInMethod, session: session.id };
      await audit(transaction, { action: 'signed_in', customerId, userId, detail }, client.origin);
      for (const id of client.replacedSessionIds) {
        await endSession(transaction, id, { action: 'session_replaced' }, client.origin);
      }
      return this.accessTokens.issue(session, access, now);
    });
  }

  /**
   * Issues a new access token for the same session and refresh token (`docs/account-service.md#refresh`). The access of
   * the user is read again.
   *
   * @throws {DomainError} 401 Invalid Refresh Token when it is unknown, expired or its session has ended
   */
  async refresh(refreshToken: unknown, origin: Origin): Promise<SessionTokens> {
    const found = isOpaqueToken(refreshToken)
      ? await findSessionByRefreshToken(this.database, refreshToken)
      : undefined;
    const tokens = found ? await this.reissue(refreshToken as string, found) : null;
    if (tokens !== null) return tokens;
    await this.rejections.record(
      {
        action: 'refresh_rejected',
        ...(found && { userId: found.user_id, customerId: found.customer_id }),
      },
      origin,
    );
    throw new DomainError(
      accountErrors.invalidRefreshToken,
      'The refresh token is unknown or expired, or its session has ended; sign in again.',
    );
  }

  /** Returns the active sessions of a user, newest first. */
  async list(userId: number): Promise<Session[]> {
    return repository(this.database, Session).find({
      where: { user_id: userId, ...IS_ACTIVE },
      order: { signed_in_at: 'DESC', id: 'ASC' },
      take: MAX_LISTED_SESSIONS,
    });
  }

  /** Signs out. Does nothing for an unknown or ended session. */
  async end(sessionId: string, origin: Origin): Promise<void> {
    await this.database.transaction((transaction) =>
      endSession(transaction, sessionId, { action: 'signed_out' }, origin),
    );
  }

  /** @returns false when the user has no such active session */
  async endOwn(userId: number, sessionId: string, origin: Origin): Promise<boolean> {
    return this.database.transaction((transaction) =>
      endSession(transaction, sessionId, { action: 'session_ended', ownerId: userId }, origin),
    );
  }

  /** Ends all sessions of a user, and burns the codes of sign-ins that are not complete. */
  async endAll(userId: number, origin: Origin): Promise<void> {
    const user = await findCustomerOfUser(this.database, userId);
    if (!user) return;
    await this.database.transaction(async (transaction) => {
      // No session may start or be refreshed until the revocation is written.
      await lockCustomer(transaction, user.customer_id, 'exclusive');
      await endSessions(transaction, { userIds: [userId] }, 'signed out everywhere');
      await audit(transaction, { action: 'signed_out_everywhere', userId }, origin);
    });
  }

  /** Returns the ids of the sessions of the tokens, each once, in order. Invalid and unknown tokens are ignored. */
  async findByTokens({ access, refresh }: SessionTokenTexts): Promise<string[]> {
    const callers = await Promise.all(access.map((token) => this.signOutVerifier.verify(token)));
    const hashes = refresh.filter(isOpaqueToken).map(hashToken);
    const sessions =
      hashes.length === 0
        ? []
        : await repository(this.database, Session).find({
            select: { id: true },
            where: { refresh_token_hash: Any(hashes) },
          });
    const ids = [...callers.flatMap((caller) => caller?.sessionId ?? []), ...sessions.map(({ id }) => id)];
    return [...new Set(ids)].sort();
  }

  /** @returns null when the session has ended, or its user may no longer sign in */
  private async reissue(refreshToken: string, found: SessionRow): Promise<SessionTokens | null> {
    if (found.ended_at === null) await waitPastRevocation(found.revoked_until_ms);
    return this.database.transaction(async (transaction) => {
      await lockCustomer(transaction, found.customer_id, 'shared');
      // Read again under the lock, since the user may have changed while waiting for it.
      const session = await findSessionByRefreshToken(transaction, refreshToken);
      if (!session || session.ended_at !== null) return null;
      const current = await findAccess(transaction, session.user_id, session.sign_in_method);
      if (current === null || addSeconds(current.readAt, 1) > session.expires_at) return null;
      const { access, readAt: now } = current;
      const { id, user_id: userId, expires_at: expiresAt } = session;
      await repository(transaction, Session).update({ id }, { last_refreshed_at: now });
      return this.accessTokens.issue({ id, userId, refreshToken, expiresAt }, access, now);
    });
  }
}

/**
 * Waits for the next second after a revocation. `iat` has a resolution of one second, so a token issued in the second of a
 * revocation would be rejected as an older one.
 */
async function waitPastRevocation(untilMs: number | null): Promise<void> {
  // Timers can fire up to a millisecond early.
  if (untilMs !== null && untilMs > 0) await sleep(Math.min(untilMs + 5, 1_000));
}
