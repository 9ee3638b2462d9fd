import type { Revocation, RevocationKind } from '@gpu-observatory/domain-types';
import { type Caller, MAX_SESSION_SECONDS } from './claims.ts';

/** Revocations in memory. Checked on every request, so the check is a few map lookups. */
export class Revocations {
  private readonly notBeforeMs = new Map<string, number>();

  add({ kind, id, not_before }: Revocation): void {
    const key = keyOf(kind, id);
    this.notBeforeMs.set(key, Math.max(this.notBeforeMs.get(key) ?? 0, Date.parse(not_before)));
  }

  /**
   * Whether the caller's token is revoked. A session and a signing key are revoked permanently. Tokens of a user or a
   * customer are valid again if issued after the revocation, for example after a change of workspaces.
   */
  isRevoked(caller: Caller): boolean {
    if (this.notBeforeMs.size === 0) return false;
    if (this.notBeforeMs.has(keyOf('session', caller.sessionId))) return true;
    if (this.notBeforeMs.has(keyOf('signing_key', caller.signingKeyId))) return true;
    const issuedAtMs = caller.issuedAt * 1000;
    const endedAfterIssue = (kind: RevocationKind, id: number) =>
      issuedAtMs < (this.notBeforeMs.get(keyOf(kind, String(id))) ?? 0);
    return (
      endedAfterIssue('user', caller.userId) ||
      caller.access.some((entry) => endedAfterIssue('customer', entry.customer_id))
    );
  }

  /** Removes revocations older than any valid token. Those of signing keys are few and stay. */
  removeExpired(nowMs = Date.now()): void {
    for (const [key, notBeforeMs] of this.notBeforeMs) {
      if (!key.startsWith('signing_key:') && notBeforeMs < nowMs - MAX_SESSION_SECONDS * 1000)
        this.notBeforeMs.delete(key);
    }
  }
}

function keyOf(kind: RevocationKind, id: string): string {
  return `${kind}:${id}`;
}
