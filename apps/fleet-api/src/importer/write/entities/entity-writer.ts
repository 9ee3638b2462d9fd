import type { Attributed } from '../../records/records.ts';
import type { BatchEntry, Outcomes } from '../batch.ts';
import { ownerOf } from '../../../model/metrics/rollup-scope.ts';
import { type ThingRecord, tellingsOf } from './observations.ts';
import type { Things } from './entity-cache.ts';

/** Takes the records about hosts, containers, VMs, processes and agent sessions of one batch, in the order they came. */
export async function tellThings(
  things: Things,
  entries: BatchEntry<Attributed<ThingRecord>>[],
  outcomes: Outcomes,
): Promise<void> {
  const told = entries.map((entry) => ({ entry, tellings: tellingsOf(entry.record) }));
  await things.load(told.flatMap(({ tellings }) => tellings));
  for (const { entry, tellings } of told) {
    const { record } = entry;
    const [own, ...parts] = tellings;
    const result = things.tell(own);
    if ('conflict' in result) {
      outcomes.reject(
        entry,
        `a ${record.kind} record of this time is known, with another ${result.conflict}`,
      );
      continue;
    }
    // A part's telling has no fields of its own that could contradict another.
    const partsChanged = parts.filter((part) => (things.tell(part) as { changed: boolean }).changed);
    if (record.kind !== 'host') things.see('host', record.hostname, record.at, ownerOf(record));
    things.seeOwner(undefined, record.at, ownerOf(record));
    if (result.changed || partsChanged.length > 0) outcomes.wrote(entry);
    else outcomes.known(entry);
  }
}
