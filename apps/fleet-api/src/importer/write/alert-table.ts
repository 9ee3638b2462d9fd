import type { AlertListItem } from '@gpu-observatory/domain-types';
import { ALERT_COLUMNS } from '../../model/alerts/alert-columns.ts';
import { renderAlertDoc, severityRank, stateRank } from '../../model/alerts/alert-document.ts';
import type { AlertRecord, Attributed } from '../records/records.ts';
import { AlertCounts } from './alert-counts.ts';
import type { AlertWords } from './alert-words.ts';
import type { BatchContext } from './batch-context.ts';
import { type ChangedAlert, updateAlerts } from './changed-alerts.ts';
import type { CopyRow } from './copy-rows.ts';
import { detailsOf, gpuIdOf, listItemOf } from './new-alert.ts';

const INSERTED_COLUMNS = [...ALERT_COLUMNS, 'words', 'state_seq'] as const;
const INSERTED_DETAIL_COLUMNS = [
  'customer_id',
  'alert_id',
  'created_at',
  'session_id',
  'host_id',
  'resource_details',
] as const;
type AlertRow = CopyRow<(typeof INSERTED_COLUMNS)[number]>;
type DetailRow = CopyRow<(typeof INSERTED_DETAIL_COLUMNS)[number]>;

/** The rows of `fleet.alerts` that one batch inserts and updates, with their words, counts and metrics. */
export class AlertTable {
  private readonly counts = new AlertCounts();

  constructor(
    private readonly context: BatchContext,
    private readonly words: AlertWords,
  ) {}

  async insert(alerts: Attributed<AlertRecord>[]): Promise<void> {
    if (alerts.length === 0) return;
    const { connection } = this.context;
    await connection.copy('fleet.alerts', INSERTED_COLUMNS, this.alertRows(alerts));
    await connection.copy('fleet.alert_details', INSERTED_DETAIL_COLUMNS, this.detailRows(alerts));
    for (const record of alerts) {
      const item = listItemOf(record);
      this.count(item, 1);
      this.countInDay(item, 1);
      this.context.entities.recordOwnerSeen(item.created_at, item);
    }
  }

  /** Updates stored alerts. The caller passes each alert at most once per batch. */
  async update(alerts: ChangedAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    const rows = alerts.map((alert) => ({ ...alert, words: this.words.keysOf(alert.after) }));
    await updateAlerts(this.context, rows);
    for (const { before, after } of alerts) {
      this.count(before, -1);
      this.count(after, 1);
      if (before.severity === after.severity) continue;
      this.countInDay(before, -1);
      this.countInDay(after, 1);
    }
  }

  /** Writes the counts and words of all rows. */
  async writeCountsAndWords(): Promise<void> {
    const { connection, customerId } = this.context;
    await this.counts.write(connection, customerId);
    await this.words.write(connection);
  }

  /** Renders rows when they are sent: those of a whole batch would outlive the young generation of the heap. */
  private *alertRows(alerts: Attributed<AlertRecord>[]): Generator<AlertRow> {
    const { customerId, seq } = this.context;
    for (const record of alerts) {
      const item = listItemOf(record);
      yield {
        ...item,
        customer_id: customerId,
        severity: severityRank(item.severity),
        state: stateRank(item.state),
        gpu_id: gpuIdOf(record),
        words: this.words.keysOf(item),
        seq,
        state_seq: seq,
        doc: renderAlertDoc(item),
      };
    }
  }

  private *detailRows(alerts: Attributed<AlertRecord>[]): Generator<DetailRow> {
    const { customerId } = this.context;
    for (const record of alerts) {
      const { id, created_at } = record;
      yield { customer_id: customerId, alert_id: id, created_at, ...detailsOf(record) };
    }
  }

  /** @param delta 1 adds the alert to `fleet.alert_counts`, -1 removes it */
  private count(item: AlertListItem, delta: 1 | -1): void {
    this.counts.add({ ...item, severity: severityRank(item.severity), state: stateRank(item.state) }, delta);
  }

  /** @param delta 1 adds the alert to `fleet.metric_days`, which counts alerts by severity alone; -1 removes it */
  private countInDay(item: AlertListItem, delta: 1 | -1): void {
    const day = this.context.metricDays.dayOf(item, Date.parse(item.created_at));
    day.addAlerts(severityRank(item.severity), delta);
  }
}
