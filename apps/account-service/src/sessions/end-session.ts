import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { type Actor, audit, type Origin } from '../audit/audit.ts';
import { revoke } from '../revocations/revoke.ts';
import { markSessionEnded } from './sessions.queries.ts';

interface SessionEnding {
  /** Defaults to the owner of the session. */
  actor?: Actor;
  /** Audit action. */
  action: 'signed_out' | 'session_replaced' | 'session_ended';
  /** Ends the session only if it belongs to this user. */
  ownerId?: number;
}

/**
 * Ends a session in every service: its refresh token at once, its access tokens through the revocation feed.
 *
 * @returns false for an unknown or ended session, or one of another user
 */
export async function endSession(
  transaction: Queryable,
  sessionId: string,
  { actor, action, ownerId }: SessionEnding,
  origin?: Origin,
): Promise<boolean> {
  const ended = await markSessionEnded(transaction, sessionId, action.replace('_', ' '), ownerId);
  if (!ended) return false;
  await revoke(transaction, [{ kind: 'session', id: sessionId }]);
  const event = { action, userId: ended.user_id, detail: { session: sessionId } };
  await audit(transaction, actor ? { ...event, actor } : event, origin);
  return true;
}
