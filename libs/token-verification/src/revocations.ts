import { type Revocation, type RevocationKind, SECOND_MS } from '@gpu-observatory/domain-types';
import { type Caller, MAX_CLOCK_SKEW_SECONDS, MAX_TOKEN_LIFETIME_SECONDS } from './claims.ts';
import { RevokedSessions } from './revoked-sessions.ts';

/** Time for which a revocation can concern an unexpired token. */
export const REVOCATION_LIFETIME_SECONDS = MAX_TOKEN_LIFETIME_SECONDS + MAX_CLOCK_SKEW_SECONDS;

/** Current revocations, in memory: each request looks its token up here. */
export class Revocations {
  private readonly sessions = new RevokedSessions();
  /** Of users, customers and signing keys, by kind and id. */
  private readonly notBeforeMs = new Map<string, number>();

  get size(): number {
    return this.sessions.size + this.notBeforeMs.size;
  }

  add({ kind, id, not_before }: Revocation): void {
    const notBeforeMs = Date.parse(not_before);
    if (kind === 'session') return this.sessions.add(id, notBeforeMs);
    const key = keyOf(kind, id);
    this.notBeforeMs.set(key, Math.max(this.notBeforeMs.get(key) ?? 0, notBeforeMs));
  }

  /** @param entries as `RevokedSessions.addAll` takes them */
  addSessions(entries: Buffer): void {
    this.sessions.addAll(entries);
  }

  /**
   * A revoked session or signing key never becomes valid again. Tokens of a user or customer are valid if they were
   * issued after the revocation, for example to a member who was added again or has fewer workspaces than before.
   */
  isRevoked(caller: Caller): boolean {
    if (this.sessions.has(caller.sessionId)) return true;
    if (this.notBeforeMs.size === 0) return false;
    if (this.notBeforeMs.has(keyOf('signing_key', caller.signingKeyId))) return true;
    const issuedAtMs = caller.issuedAt * SECOND_MS;
    const isIssuedBefore = (kind: RevocationKind, id: number) =>
      issuedAtMs < (this.notBeforeMs.get(keyOf(kind, String(id))) ?? 0);
    return (
      ('userId' in caller && isIssuedBefore('user', caller.userId)) ||
      caller.access.some((entry) => isIssuedBefore('customer', entry.customer_id))
    );
  }

  /** Removes revocations that concern no unexpired token. Withdrawn signing keys are few and are kept. */
  removeExpired(nowMs = Date.now()): void {
    const oldestMs = nowMs - REVOCATION_LIFETIME_SECONDS * SECOND_MS;
    this.sessions.removeBefore(oldestMs);
    for (const [key, notBeforeMs] of this.notBeforeMs) {
      if (!key.startsWith('signing_key:') && notBeforeMs < oldestMs) this.notBeforeMs.delete(key);
    }
  }
}

function keyOf(kind: RevocationKind, id: string): string {
  return `${kind}:${id}`;
}
