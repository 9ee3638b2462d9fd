import type { AlertStateRecord, Attributed } from '../records/records.ts';
import type { AlertTable } from './alert-table.ts';
import type { BatchContext } from './batch-context.ts';
import type { BatchEntry } from './batch.ts';
import { type StoredAlert, readStoredAlerts, UNKNOWN_ALERT } from './stored-alerts.ts';

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
  async states(entries: BatchEntry<Attributed<AlertStateRecord>>[]): Promise<void> {
    if (entries.length === 0) return;
    const ids = entries.map(({ record }) => record.alert_id);
    const stored = await readStoredAlerts(this.batch.connection, this.batch.customerId, ids);
    const now = new Map<string, StoredAlert>();
    for (const entry of entries) {
      const id = entry.record.alert_id.toLowerCase();
      const alert = now.get(id) ?? stored.get(id);
      if (!alert) this.batch.outcomes.reject(entry, UNKNOWN_ALERT);
      else {
        const next = this.apply(entry, alert);
        if (next !== null) now.set(id, next);
      }
    }
    const changed = [...now.values()].map(({ item, changedAt }) => ({
      before: (stored.get(item.id) as StoredAlert).item,
      after: item,
      stateAt: changedAt,
    }));
    await this.table.update(changed);
  }

  /** @returns the changed alert, or null when the record is rejected or a duplicate */
  private apply(entry: BatchEntry<Attributed<AlertStateRecord>>, alert: StoredAlert): StoredAlert | null {
    const { item, changedAt } = alert;
    const { state, at: recordAt } = entry.record;
    const at = recordAt ?? latest(new Date().toISOString(), changedAt ?? item.created_at);
    if (at < item.created_at) {
      this.batch.outcomes.reject(entry, `at is before the creation of the alert (${item.created_at})`);
      return null;
    }
    const old = recordAt !== undefined && changedAt !== null && at <= changedAt;
    if (old && at === changedAt && item.state !== state) {
      this.batch.outcomes.reject(
        entry,
        `a change of this alert to ${item.state} at this time is already stored`,
      );
      return null;
    }
    if (old || (recordAt === undefined && item.state === state)) {
      this.batch.outcomes.duplicate(entry);
      return null;
    }
    this.batch.outcomes.wrote(entry);
    return { item: { ...item, state }, changedAt: at };
  }
}

function latest(a: string, b: string): string {
  return a > b ? a : b;
}
