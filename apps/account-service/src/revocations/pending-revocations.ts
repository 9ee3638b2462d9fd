import type { RevocationKind } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { revoke } from './revoke.ts';

/**
 * Revocations of a transaction, collected until its end. Verifiers overlap their reads by 10 s, so they would miss a
 * row that is inserted more than 10 s before its commit.
 */
export class PendingRevocations {
  private readonly ids = new Map<RevocationKind, Set<string>>();

  add(kind: RevocationKind, ids: readonly (string | number)[]): void {
    const existing = this.ids.get(kind) ?? new Set();
    for (const id of ids) existing.add(String(id));
    this.ids.set(kind, existing);
  }

  /** Writes each revocation once. Must be the last statement of the transaction. */
  async write(transaction: Queryable): Promise<void> {
    for (const [kind, ids] of this.ids) await revoke(transaction, kind, [...ids]);
  }
}
