import type { AlertListItem } from '@gpu-observatory/domain-types';
import { severityRank } from '../../model/alerts/alert-document.ts';
import type { AlertRecord, Attributed } from '../records/records.ts';
import type { AlertTable } from './alert-table.ts';
import type { BatchContext } from './batch-context.ts';
import type { BatchEntry } from './batch.ts';
import type { ChangedAlert } from './changed-alerts.ts';
import { detailsOf, listItemOf } from './new-alert.ts';
import { type AlertDetails, readAlertDetails, readStoredAlerts, readStoredIds } from './stored-alerts.ts';
import type { AlertXid, XidAlert } from './xid-alert.ts';

type AlertEntry = BatchEntry<Attributed<AlertRecord>>;
interface Alert {
  item: AlertListItem;
  details: AlertDetails;
}

/** Writes the `alert` records of one batch, and the alerts of its XIDs. */
export class AlertWriter {
  /** The alerts that were new, by id. */
  readonly written = new Map<string, Attributed<AlertRecord>>();

  constructor(
    private readonly batch: BatchContext,
    private readonly table: AlertTable,
  ) {}

  /** Ids are unique across partitions: an equal alert is a duplicate, a different one with the same id is rejected. */
  async alerts(entries: AlertEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const stored = await this.readStored(entries);
    for (const entry of entries) {
      const { record } = entry;
      const id = record.id.toLowerCase();
      const repeated = this.written.get(id);
      const before = stored.get(id) ?? (repeated && alertOf(repeated));
      if (before === undefined) {
        this.written.set(id, record);
        this.batch.outcomes.wrote(entry);
        continue;
      }
      const changed = changedField(before, alertOf(record));
      if (changed === null) this.batch.outcomes.duplicate(entry);
      else {
        this.batch.outcomes.reject(
          entry,
          `alert ${id} is already stored with a different ${changed}: only the state of an alert can change, with an alert_state record`,
        );
      }
    }
    await this.table.insert([...this.written.values()]);
  }

  /** Raises and changes the alerts of XIDs. */
  async xids(xids: AlertXid[]): Promise<void> {
    const changes = xids.flatMap(({ change }) => change ?? []);
    await this.raise(changes.filter(({ effect }) => effect === 'raise').map(({ alert }) => alert));
    await this.change(changes.filter(({ effect }) => effect !== 'raise'));
  }

  /** Writes alerts that XIDs raise. An alert that is already stored, because only its XID event has expired, stays unchanged. */
  private async raise(records: Attributed<AlertRecord>[]): Promise<void> {
    if (records.length === 0) return;
    const stored = await readStoredIds(
      this.batch.connection,
      this.batch.customerId,
      records.map(({ id }) => id),
    );
    await this.table.insert(records.filter(({ id }) => !stored.has(id)));
  }

  /** Updates severity and texts of stored alerts from another XID of the incident, if it replaces theirs or is more severe. */
  private async change(updates: XidAlert[]): Promise<void> {
    if (updates.length === 0) return;
    const stored = await readStoredAlerts(
      this.batch.connection,
      this.batch.customerId,
      updates.map(({ alert }) => alert.id),
    );
    const changes = new Map<string, ChangedAlert>();
    for (const { alert: update, effect } of updates) {
      const { id, severity, type, title, description } = update;
      const alert = stored.get(id);
      if (alert === undefined) continue;
      const { before = alert.item, after = alert.item } = changes.get(id) ?? {};
      if (effect === 'replace' || severityRank(severity) < severityRank(after.severity))
        changes.set(id, {
          before,
          after: { ...after, severity, type, title, description },
          stateAt: alert.changedAt,
        });
    }
    await this.table.update([...changes.values()]);
  }

  private async readStored(entries: AlertEntry[]): Promise<Map<string, Alert>> {
    const ids = entries.map(({ record }) => record.id);
    const items = await readStoredAlerts(this.batch.connection, this.batch.customerId, ids);
    const details = await readAlertDetails(this.batch.connection, this.batch.customerId, [...items.keys()]);
    return new Map(
      [...items].map(([id, { item }]) => [id, { item, details: details.get(id) as AlertDetails }]),
    );
  }
}

function alertOf(record: Attributed<AlertRecord>): Alert {
  return { item: listItemOf(record), details: detailsOf(record) };
}

/** Returns the first field, except the state, in which two versions of an alert differ. */
function changedField(before: Alert, now: Alert): string | null {
  const itemFields = Object.keys(now.item) as (keyof AlertListItem)[];
  const ofItem = itemFields.find((field) => field !== 'state' && before.item[field] !== now.item[field]);
  if (ofItem !== undefined) return ofItem;
  const detailFields = Object.keys(now.details) as (keyof AlertDetails)[];
  return detailFields.find((field) => before.details[field] !== now.details[field]) ?? null;
}
