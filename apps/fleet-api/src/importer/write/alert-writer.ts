import { setImmediate } from 'node:timers/promises';
import type { AlertListItem } from '@gpu-observatory/domain-types';
import { renderAlertDoc, severityRank, stateRank } from '../../model/alerts/alert-document.ts';
import type { AlertRecord, Attributed } from '../records/records.ts';
import type { AlertCounts } from './alert-counts.ts';
import type { AlertWords } from './alert-words.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import { type ChangedAlert, writeChangedAlerts } from './changed-alerts.ts';
import { binaryRows, type CopyColumns, type CopyValue } from './copy-rows.ts';
import type { ImportConnection } from './import-connection.ts';
import type { AlertXid, XidAlert } from './xid-alert.ts';
import { type AlertDetails, readAlertDetails, readStoredAlerts, readStoredIds } from './stored-alerts.ts';
import { detailsOf, gpuIdOf, listItemOf } from './new-alert.ts';
import type { MetricDays } from './rollups/metric-days.ts';
import { ownerOf } from '../../model/metrics/rollup-scope.ts';
import type { EntityCache } from './entities/entity-cache.ts';

type AlertEntry = BatchEntry<Attributed<AlertRecord>>;
interface Alert {
  item: AlertListItem;
  details: AlertDetails;
}

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

/** Writes the `alert` records of one batch, in its transaction, with its sequence number. */
export class AlertWriter {
  /** The alerts that were new, by id. */
  readonly written = new Map<string, Attributed<AlertRecord>>();

  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly seq: number,
    private readonly counts: AlertCounts,
    private readonly words: AlertWords,
    private readonly rollups: { days: MetricDays; entities: EntityCache },
    private readonly outcomes: Outcomes,
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
        this.outcomes.wrote(entry);
        continue;
      }
      const changed = changedField(before, alertOf(record));
      if (changed === null) this.outcomes.duplicate(entry);
      else {
        this.outcomes.reject(
          entry,
          `alert ${id} is already stored with a different ${changed}: only the state of an alert can change, with an alert_state record`,
        );
      }
    }
    await this.insert([...this.written.values()]);
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
      this.connection,
      this.customerId,
      records.map(({ id }) => id),
    );
    await this.insert(records.filter(({ id }) => !stored.has(id)));
  }

  /** Updates severity and texts of stored alerts from another XID of the incident, if it replaces theirs or is more severe. */
  private async change(updates: XidAlert[]): Promise<void> {
    if (updates.length === 0) return;
    const stored = await readStoredAlerts(
      this.connection,
      this.customerId,
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
    await writeChangedAlerts(
      this.connection,
      this.customerId,
      this.seq,
      [...changes.values()],
      this.counts,
      this.words,
    );
    for (const { before, after } of changes.values()) {
      const day = this.rollups.days.at(ownerOf(after), Date.parse(after.created_at));
      day.countAlert(severityRank(before.severity), -1);
      day.countAlert(severityRank(after.severity), 1);
    }
  }

  private async insert(alerts: Attributed<AlertRecord>[]): Promise<void> {
    if (alerts.length === 0) return;
    const [, details] = await Promise.all([
      this.connection.copy('fleet.alerts', WRITTEN_COLUMNS, this.alertRows(alerts)),
      this.renderDetails(alerts),
    ]);
    await this.connection.copyChunks('fleet.alert_details', DETAIL_COLUMNS, details);
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
      this.count(item);
      yield this.alertRow(item, gpuIdOf(record));
    }
  }

  private *detailRows(alerts: Attributed<AlertRecord>[]): Generator<CopyValue[]> {
    for (const record of alerts) {
      const { session_id, host_id, resource_details } = detailsOf(record);
      yield [this.customerId, record.id, record.created_at, session_id, host_id, resource_details];
    }
  }

  private count(item: AlertListItem): void {
    const severity = severityRank(item.severity);
    this.counts.add({ ...item, severity, state: stateRank(item.state) }, 1);
    this.rollups.days.at(ownerOf(item), Date.parse(item.created_at)).countAlert(severity, 1);
    this.rollups.entities.recordOwnerSeen(undefined, item.created_at, ownerOf(item));
  }

  private async readStored(entries: AlertEntry[]): Promise<Map<string, Alert>> {
    const ids = entries.map(({ record }) => record.id);
    const items = await readStoredAlerts(this.connection, this.customerId, ids);
    const details = await readAlertDetails(this.connection, this.customerId, [...items.keys()]);
    return new Map(
      [...items].map(([id, { item }]) => [id, { item, details: details.get(id) as AlertDetails }]),
    );
  }

  private alertRow(item: AlertListItem, gpuId: string | null): CopyValue[] {
    return [
      this.customerId,
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
      this.seq,
      this.seq,
      renderAlertDoc(item),
    ];
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
