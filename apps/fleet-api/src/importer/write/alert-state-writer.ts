import type { AlertStateRecord, Attributed } from '../records/records.ts';
import type { AlertTable } from './alert-table.ts';
import type { BatchContext } from './batch-context.ts';
import type { BatchEntry } from './batch.ts';
import type { ChangedAlert } from './changed-alerts.ts';
import { readStoredAlerts, unchangedVersion, UNKNOWN_ALERT } from './stored-alerts.ts';

/** Writes the `alert_state` records of one batch. */
export class AlertStateWriter {
  constructor(
    private readonly context: BatchContext,
    private readonly table: AlertTable,
  ) {}

  /**
   * Changes the states of alerts. Several changes of one alert in a batch are one change to the last state: no page can include
   * the states between.
   */
  async writeStates(entries: BatchEntry<Attributed<AlertStateRecord>>[]): Promise<void> {
    if (entries.length === 0) return;
    const ids = entries.map(({ record }) => record.alert_id);
    const stored = await readStoredAlerts(this.context.connection, this.context.customerId, ids);
    const changed = new Map<string, ChangedAlert>();
    for (const entry of entries) {
      const id = entry.record.alert_id.toLowerCase();
      const alert = stored.get(id);
      if (alert === undefined) {
        this.context.outcomes.recordRejected(entry, UNKNOWN_ALERT);
        continue;
      }
      const version = changed.get(id) ?? unchangedVersion(alert);
      const { state, at = timeOfChangeNow(version) } = entry.record;
      const fault = faultOf(entry.record, at, version);
      if (fault !== null) this.context.outcomes.recordRejected(entry, fault);
      else if (isDuplicate(entry.record, version)) this.context.outcomes.recordDuplicate(entry);
      else {
        changed.set(id, { ...version, after: { ...version.after, state }, state_at: at });
        this.context.outcomes.recordWritten(entry);
      }
    }
    await this.table.update([...changed.values()]);
  }
}

/** Returns the time of a change without one: now, but not before the last change or the creation. */
function timeOfChangeNow({ after, state_at }: ChangedAlert): string {
  const now = new Date().toISOString();
  const last = state_at ?? after.created_at;
  return now > last ? now : last;
}

/** Returns the reason that a change is rejected, or null. */
function faultOf(record: AlertStateRecord, at: string, { after, state_at }: ChangedAlert): string | null {
  if (at < after.created_at) return `at is before the creation of the alert (${after.created_at})`;
  if (record.at !== undefined && at === state_at && record.state !== after.state)
    return `a change of this alert to ${after.state} at this time is already stored`;
  return null;
}

/** Returns whether a change is older than the last one or, if it has no time, does not change the state. */
function isDuplicate({ at, state }: AlertStateRecord, { after, state_at }: ChangedAlert): boolean {
  return at === undefined ? state === after.state : state_at !== null && at <= state_at;
}
