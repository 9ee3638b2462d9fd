import type { AlertListItem } from '@gpu-observatory/domain-types';
import { severityRank } from '../../model/alerts/alert-document.ts';
import type { AlertRecord, Attributed } from '../records/records.ts';
import type { AlertTable } from './alert-table.ts';
import type { BatchContext } from './batch-context.ts';
import type { BatchEntry } from './batch.ts';
import type { ChangedAlert } from './changed-alerts.ts';
import { detailsOf, gpuIdOf, listItemOf } from './new-alert.ts';
import {
  type AlertDetails,
  readAlertDetails,
  readStoredAlerts,
  readStoredIds,
  unchangedVersion,
} from './stored-alerts.ts';
import type { AlertChange, TimelineXid } from './xid-alert.ts';

type AlertEntry = BatchEntry<Attributed<AlertRecord>>;

/** All fields of an alert. */
type CompleteAlert = AlertListItem & AlertDetails & { gpu_id: string | null };

/** Writes the `alert` records of one batch, and the alerts of its XIDs. */
export class AlertWriter {
  /** Alerts of `alert` records that were new, by id. */
  readonly written = new Map<string, Attributed<AlertRecord>>();

  constructor(
    private readonly context: BatchContext,
    private readonly table: AlertTable,
  ) {}

  /**
   * Inserts new alerts. An id is unique across partitions: an equal alert is a duplicate, a different one is rejected. Called once per
   * batch.
   */
  async writeAlerts(entries: AlertEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const stored = await this.readCompleteAlerts(entries.map(({ record }) => record.id));
    for (const entry of entries) {
      const { record } = entry;
      const id = record.id.toLowerCase();
      const earlierInBatch = this.written.get(id);
      const known = stored.get(id) ?? (earlierInBatch && completeAlert(earlierInBatch));
      if (known === undefined) {
        this.written.set(id, record);
        this.context.outcomes.recordWritten(entry);
        continue;
      }
      const field = differingField(known, completeAlert(record));
      if (field === null) this.context.outcomes.recordDuplicate(entry);
      else {
        this.context.outcomes.recordRejected(
          entry,
          `alert ${id} is already stored with a different ${field}: only the state of an alert can change, with an alert_state record`,
        );
      }
    }
    await this.table.insert([...this.written.values()]);
  }

  /** Raises and updates the alerts of XIDs. */
  async applyXidEffects(xids: TimelineXid[]): Promise<void> {
    const changes = xids.flatMap(({ change }) => change ?? []);
    await this.raiseAlerts(changes.filter(({ effect }) => effect === 'raise').map(({ alert }) => alert));
    await this.updateAlerts(changes.filter(({ effect }) => effect !== 'raise'));
  }

  /** Inserts alerts that XIDs raise. If one is already stored because only its XID event has expired, it stays unchanged. */
  private async raiseAlerts(records: Attributed<AlertRecord>[]): Promise<void> {
    if (records.length === 0) return;
    const { connection, customerId } = this.context;
    const ids = records.map(({ id }) => id);
    const stored = await readStoredIds(connection, customerId, ids);
    await this.table.insert(records.filter(({ id }) => !stored.has(id)));
  }

  /**
   * Updates severity and texts of stored alerts from another XID of their incident. It describes the incident if it is the first line
   * of the driver after gauges (`replace`) or a more severe line (`update`).
   */
  private async updateAlerts(changes: AlertChange[]): Promise<void> {
    if (changes.length === 0) return;
    const { connection, customerId } = this.context;
    const ids = changes.map(({ alert }) => alert.id);
    const stored = await readStoredAlerts(connection, customerId, ids);
    const changed = new Map<string, ChangedAlert>();
    for (const { alert, effect } of changes) {
      const { id, severity, type, title, description } = alert;
      const storedAlert = stored.get(id);
      // Retention has removed the alert. XID events may be kept for longer.
      if (storedAlert === undefined) continue;
      // Several XIDs may change one alert: each continues from the version of the one before.
      const version = changed.get(id) ?? unchangedVersion(storedAlert);
      const { after } = version;
      if (effect === 'replace' || severityRank(severity) < severityRank(after.severity))
        changed.set(id, { ...version, after: { ...after, severity, type, title, description } });
    }
    await this.table.update([...changed.values()]);
  }

  /** Returns the stored alerts with these ids, by id. */
  private async readCompleteAlerts(ids: string[]): Promise<Map<string, CompleteAlert>> {
    const { connection, customerId } = this.context;
    const alerts = await readStoredAlerts(connection, customerId, ids);
    // Every alert has details: a batch inserts both.
    const details = await readAlertDetails(connection, customerId, [...alerts.keys()]);
    return new Map(
      [...alerts].map(([id, { item, gpu_id }]) => [
        id,
        { ...item, gpu_id, ...(details.get(id) as AlertDetails) },
      ]),
    );
  }
}

function completeAlert(record: Attributed<AlertRecord>): CompleteAlert {
  return { ...listItemOf(record), gpu_id: gpuIdOf(record), ...detailsOf(record) };
}

/** Returns the first field, except the state, in which an alert differs from the known one. */
function differingField(known: CompleteAlert, alert: CompleteAlert): string | null {
  const fields = Object.keys(alert) as (keyof CompleteAlert)[];
  return fields.find((field) => field !== 'state' && known[field] !== alert[field]) ?? null;
}
