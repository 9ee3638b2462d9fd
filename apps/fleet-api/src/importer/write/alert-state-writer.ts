import type { AlertStateRecord, Attributed } from '../records/records.ts';
import type { AlertTable } from './alert-table.ts';
import type { BatchContext } from './batch-context.ts';
import type { BatchEntry } from './batch.ts';
import type { ChangedAlert } from './changed-alerts.ts';
import { readStoredAlerts, unchanged, UNKNOWN_ALERT } from './stored-alerts.ts';

/** Writes the `alert_state` records of one batch. */
export class AlertStateWriter {
  constructor(
    private readonly batch: BatchContext,
    private readonly table: AlertTable,
  ) {}

  /**
   * Changes states. Several changes of one alert in a batch are one change to the last state: no page can include the
   * states between.
   */
  async writeStates(entries: BatchEntry<Attributed<AlertStateRecord>>[]): Promise<void> {
    if (entries.length === 0) return;
    const ids = entries.map(({ record }) => record.alert_id);
    const stored = await readStoredAlerts(this.batch.connection, this.batch.customerId, ids);
    const changed = new Map<string, ChangedAlert>();
    for (const entry of entries) {
      const id = entry.record.alert_id.toLowerCase();
      const alert = stored.get(id);
      if (alert === undefined) {
        this.batch.outcomes.recordRejected(entry, UNKNOWN_ALERT);
        continue;
      }
      const version = changed.get(id) ?? unchanged(alert);
      const after = { ...version.after, state: entry.record.state };
      const state_at = this.timeOfChange(entry, version);
      if (state_at !== null) changed.set(id, { ...version, after, state_at });
    }
    await this.table.update([...changed.values()]);
  }

  /** @returns the time of the change, or null when the record is rejected or a duplicate */
  private timeOfChange(
    entry: BatchEntry<Attributed<AlertStateRecord>>,
    { after: item, state_at }: ChangedAlert,
  ): string | null {
    const { state, at: recordAt } = entry.record;
    const at = recordAt ?? latest(new Date().toISOString(), state_at ?? item.created_at);
    if (at < item.created_at) {
      this.batch.outcomes.recordRejected(
        entry,
        `at is before the creation of the alert (${item.created_at})`,
      );
      return null;
    }
    const isOld = recordAt !== undefined && state_at !== null && at <= state_at;
    if (isOld && at === state_at && item.state !== state) {
      this.batch.outcomes.recordRejected(
        entry,
        `a change of this alert to ${item.state} at this time is already stored`,
      );
      return null;
    }
    if (isOld || (recordAt === undefined && item.state === state)) {
      this.batch.outcomes.recordDuplicate(entry);
      return null;
    }
    this.batch.outcomes.recordWritten(entry);
    return at;
  }
}

function latest(a: string, b: string): string {
  return a > b ? a : b;
}
