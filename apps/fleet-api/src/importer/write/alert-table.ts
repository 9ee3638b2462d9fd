import { setImmediate } from 'node:timers/promises';
import type { AlertListItem } from '@gpu-observatory/domain-types';
import { renderAlertDoc, severityRank, stateRank } from '../../model/alerts/alert-document.ts';
import { ownerOf } from '../../model/metrics/rollup-scope.ts';
import type { AlertRecord, Attributed } from '../records/records.ts';
import { AlertCounts } from './alert-counts.ts';
import type { AlertWords } from './alert-words.ts';
import type { BatchContext } from './batch-context.ts';
import { type ChangedAlert, updateAlerts } from './changed-alerts.ts';
import { binaryRows, type CopyColumns, type CopyValue } from './copy-rows.ts';
import { detailsOf, gpuIdOf, listItemOf } from './new-alert.ts';

const WRITTEN_COLUMNS: CopyColumns = [
  ['customer_id', 'integer'],
  ['id', 'uuid'],
  ['created_at', 'timestamptz'],
  ['workspace_id', 'integer'],
  ['api_key_id', 'integer'],
  ['severity', 'smallint'],
  ['state', 'smallint'],
  ['type', 'text'],
  ['hostname', 'text'],
  ['title', 'text'],
  ['description', 'text'],
  ['gpu_id', 'text'],
  ['words', 'integer[]'],
  ['seq', 'bigint'],
  ['state_seq', 'bigint'],
  ['doc', 'text'],
];
const DETAIL_COLUMNS: CopyColumns = [
  ['customer_id', 'integer'],
  ['alert_id', 'uuid'],
  ['created_at', 'timestamptz'],
  ['session_id', 'text'],
  ['host_id', 'text'],
  ['resource_details', 'text'],
];

/** The rows of `fleet.alerts` that one batch inserts and updates, with their words, counts and metrics. */
export class AlertTable {
  private readonly counts = new AlertCounts();

  constructor(
    private readonly batch: BatchContext,
    private readonly words: AlertWords,
  ) {}

  async insert(alerts: Attributed<AlertRecord>[]): Promise<void> {
    if (alerts.length === 0) return;
    const [, details] = await Promise.all([
      this.batch.connection.copy('fleet.alerts', WRITTEN_COLUMNS, this.alertRows(alerts)),
      this.renderDetails(alerts),
    ]);
    await this.batch.connection.copyChunks('fleet.alert_details', DETAIL_COLUMNS, details);
  }

  /** Updates stored alerts. The caller passes each alert at most once per batch. */
  async update(alerts: ChangedAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    const rows = alerts.map((alert) => ({ ...alert, words: this.words.keysOf(alert.after) }));
    await updateAlerts(this.batch, rows);
    for (const { before, after } of alerts) {
      this.count(before, -1);
      this.count(after, 1);
      if (before.severity === after.severity) continue;
      this.countInDay(before, -1);
      this.countInDay(after, 1);
    }
  }

  /** Writes the words and counts of all rows. */
  async writeCounts(): Promise<void> {
    const { connection, customerId } = this.batch;
    await this.counts.write(connection, customerId);
    await this.words.write(connection);
  }

  /** Renders the details while the database inserts the alerts, which takes it several times as long. */
  private async renderDetails(alerts: Attributed<AlertRecord>[]): Promise<Buffer[]> {
    const chunks: Buffer[] = [];
    for (const chunk of binaryRows(DETAIL_COLUMNS, this.detailRows(alerts))) {
      chunks.push(chunk);
      await setImmediate();
    }
    return chunks;
  }

  /**
   * Yields the rows, and counts the alerts while the database inserts the earlier ones. Rows are rendered when they are sent:
   * those of a whole batch would outlive the young generation of the heap.
   */
  private *alertRows(alerts: Attributed<AlertRecord>[]): Generator<CopyValue[]> {
    for (const record of alerts) {
      const item = listItemOf(record);
      this.count(item, 1);
      this.countInDay(item, 1);
      this.batch.entities.recordOwnerSeen(undefined, item.created_at, ownerOf(item));
      yield this.alertRow(item, gpuIdOf(record));
    }
  }

  private *detailRows(alerts: Attributed<AlertRecord>[]): Generator<CopyValue[]> {
    for (const record of alerts) {
      const { session_id, host_id, resource_details } = detailsOf(record);
      yield [this.batch.customerId, record.id, record.created_at, session_id, host_id, resource_details];
    }
  }

  private count(item: AlertListItem, n: 1 | -1): void {
    this.counts.add({ ...item, severity: severityRank(item.severity), state: stateRank(item.state) }, n);
  }

  private countInDay(item: AlertListItem, n: 1 | -1): void {
    const day = this.batch.days.at(ownerOf(item), Date.parse(item.created_at));
    day.countAlert(severityRank(item.severity), n);
  }

  private alertRow(item: AlertListItem, gpuId: string | null): CopyValue[] {
    return [
      this.batch.customerId,
      item.id,
      item.created_at,
      item.workspace_id,
      item.api_key_id,
      severityRank(item.severity),
      stateRank(item.state),
      item.type,
      item.hostname,
      item.title,
      item.description,
      gpuId,
      this.words.keysOf(item),
      this.batch.seq,
      this.batch.seq,
      renderAlertDoc(item),
    ];
  }
}
