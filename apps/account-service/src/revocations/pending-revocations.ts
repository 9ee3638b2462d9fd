import type { RevocationKind } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime';
import { revoke } from './revocations.queries.ts';

/**
 * What a transaction revokes, kept until its end: verifiers look back 10 s from their last reading, so what was written
 * longer than that before its commit would be missed.
 */
export class PendingRevocations {
  private readonly ids = new Map<RevocationKind, Set<string>>();

  add(kind: RevocationKind, ids: readonly (string | number)[]): void {
    const known = this.ids.get(kind) ?? new Set();
    for (const id of ids) known.add(String(id));
    this.ids.set(kind, known);
  }

  /** Writes each once; has to be the last that the transaction does. */
  async write(transaction: Queryable): Promise<void> {
    for (const [kind, ids] of this.ids) await revoke(transaction, kind, [...ids]);
  }
}
