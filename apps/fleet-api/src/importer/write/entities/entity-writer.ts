import type { Attributed } from '../../records/records.ts';
import type { BatchEntry } from '../batch.ts';
import type { BatchContext } from '../batch-context.ts';
import { type EntityRecord, observationsOf } from './observations.ts';

/** Applies the records of hosts, containers, VMs, processes and agent sessions of one batch, in their order. */
export async function applyEntityRecords(
  { entities, outcomes }: BatchContext,
  entries: BatchEntry<Attributed<EntityRecord>>[],
): Promise<void> {
  const observed = entries.map((entry) => ({ entry, observations: observationsOf(entry.record) }));
  await entities.load(observed.flatMap(({ observations }) => observations));
  for (const { entry, observations } of observed) {
    const { record } = entry;
    const [own, ...roles] = observations;
    const result = entities.upsert(own);
    if ('conflict' in result) {
      outcomes.recordRejected(
        entry,
        `a ${record.kind} record of this time is already stored with a different ${result.conflict}`,
      );
      continue;
    }
    let hasChanged = result.changed;
    for (const role of roles) {
      const roleResult = entities.upsert(role);
      // Observations of roles have no fields, so they cannot conflict.
      if ('changed' in roleResult && roleResult.changed) hasChanged = true;
    }
    if (record.kind === 'host') entities.recordOwnerSeen(record.at, record);
    else entities.recordHostSeen(record.hostname, record.at, record);
    if (hasChanged) outcomes.recordWritten(entry);
    else outcomes.recordDuplicate(entry);
  }
}
