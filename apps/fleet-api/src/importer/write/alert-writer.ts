import { type AlertListItem, ALERT_STATES } from '@gpu-observatory/domain-types';
import { renderAlertDoc, severityRank, stateRank } from '../../model/alerts/alert-document.ts';
import { completeResourceDetails } from '../../model/alerts/resource-sections.ts';
import type { AlertRecord, Attributed } from '../records/records.ts';
import type { AlertCounts } from './alert-counts.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import { type ChangedAlert, writeChangedAlerts } from './changed-alerts.ts';
import type { CopyValue, ImportConnection } from './import-connection.ts';
import type { AlertChange } from './xid-incidents.ts';
import { type AlertDetails, readAlertDetails, readStoredAlerts, readStoredIds } from './stored-alerts.ts';
import type { MetricDays } from './rollups/metric-days.ts';
import { ownerOf } from '../../model/metrics/rollup-scope.ts';
import type { EntityCache } from './entities/entity-cache.ts';

type AlertEntry = BatchEntry<Attributed<AlertRecord>>;
interface Alert {
  item: AlertListItem;
  details: AlertDetails;
}

const WRITTEN_COLUMNS = [
  'customer_id',
  'id',
  'created_at',
  'workspace_id',
  'api_key_id',
  'severity',
  'state',
  'type',
  'hostname',
  'title',
  'description',
  'gpu_id',
  'seq',
  'state_seq',
  'doc',
] as const;
const DETAIL_COLUMNS = [
  'customer_id',
  'alert_id',
  'created_at',
  'session_id',
  'host_id',
  'resource_details',
] as const;

/** Writes the `alert` records of one batch, in its transaction, with its sequence number. */
export class AlertWriter {
  /** Ids of the alerts that were new. */
  readonly written = new Set<string>();

  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly seq: number,
    private readonly counts: AlertCounts,
    private readonly rollups: { days: MetricDays; entities: EntityCache },
    private readonly outcomes: Outcomes,
  ) {}

  /** Ids are unique across partitions: an equal alert is a duplicate, a different one with the same id is rejected. */
  async alerts(entries: AlertEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const stored = await this.readStored(entries);
    const fresh: Alert[] = [];
    for (const entry of entries) {
      const alert: Alert = { item: toListItem(entry.record), details: toDetails(entry.record) };
      const before = stored.get(alert.item.id);
      if (before === undefined) {
        stored.set(alert.item.id, alert);
        fresh.push(alert);
        this.written.add(alert.item.id);
        this.outcomes.wrote(entry);
        continue;
      }
      const changed = changedField(before, alert);
      if (changed === null) this.outcomes.duplicate(entry);
      else {
        this.outcomes.reject(
          entry,
          `alert ${alert.item.id} is already stored with a different ${changed}: only the state of an alert can change, with an alert_state record`,
        );
      }
    }
    await this.insert(fresh);
  }

  /** Writes alerts that XIDs raise. An alert that is already stored, because only its XID event has expired, stays unchanged. */
  async raise(records: Attributed<AlertRecord>[]): Promise<void> {
    if (records.length === 0) return;
    const stored = await readStoredIds(
      this.connection,
      this.customerId,
      records.map(({ id }) => id),
    );
    const fresh = records.filter(({ id }) => !stored.has(id));
    await this.insert(fresh.map((record) => ({ item: toListItem(record), details: toDetails(record) })));
  }

  /** Gives stored alerts the reading of another XID of the same incident, if it replaces theirs or is more severe. */
  async change(readings: AlertChange[]): Promise<void> {
    if (readings.length === 0) return;
    const stored = await readStoredAlerts(
      this.connection,
      this.customerId,
      readings.map(({ alert }) => alert.id),
    );
    const changes = new Map<string, ChangedAlert>();
    for (const { alert: reading, replaces } of readings) {
      const { id, severity, type, title, description } = reading;
      const alert = stored.get(id);
      if (alert === undefined) continue;
      const { before = alert.item, after = alert.item } = changes.get(id) ?? {};
      if (replaces || severityRank(severity) < severityRank(after.severity))
        changes.set(id, {
          before,
          after: { ...after, severity, type, title, description },
          stateAt: alert.changedAt,
        });
    }
    await writeChangedAlerts(this.connection, this.customerId, this.seq, [...changes.values()], this.counts);
    for (const { before, after } of changes.values()) {
      const day = this.rollups.days.at(ownerOf(after), Date.parse(after.created_at));
      day.countAlert(severityRank(before.severity), -1);
      day.countAlert(severityRank(after.severity), 1);
    }
  }

  private async insert(alerts: Alert[]): Promise<void> {
    await this.connection.copy(
      'fleet.alerts',
      WRITTEN_COLUMNS,
      alerts.map((alert) => this.alertRow(alert)),
    );
    await this.connection.copy(
      'fleet.alert_details',
      DETAIL_COLUMNS,
      alerts.map(({ item, details }) => [
        this.customerId,
        item.id,
        item.created_at,
        details.session_id,
        details.host_id,
        details.resource_details,
      ]),
    );
    for (const { item } of alerts) {
      const severity = severityRank(item.severity);
      this.counts.add({ ...item, severity, state: stateRank(item.state) }, 1);
      this.rollups.days.at(ownerOf(item), Date.parse(item.created_at)).countAlert(severity, 1);
      this.rollups.entities.recordOwnerSeen(undefined, item.created_at, ownerOf(item));
    }
  }

  private async readStored(entries: AlertEntry[]): Promise<Map<string, Alert>> {
    const ids = entries.map(({ record }) => record.id);
    const items = await readStoredAlerts(this.connection, this.customerId, ids);
    const details = await readAlertDetails(this.connection, this.customerId, [...items.keys()]);
    return new Map(
      [...items].map(([id, { item }]) => [id, { item, details: details.get(id) as AlertDetails }]),
    );
  }

  private alertRow({ item, details }: Alert): CopyValue[] {
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
      details.gpu_id,
      this.seq,
      this.seq,
      renderAlertDoc(item),
    ];
  }
}

function toListItem(record: Attributed<AlertRecord>): AlertListItem {
  return {
    id: record.id.toLowerCase(),
    title: record.title,
    description: record.description,
    type: record.type,
    severity: record.severity,
    state: record.state ?? ALERT_STATES[0],
    created_at: record.created_at,
    hostname: record.hostname ?? null,
    gpu_model: record.gpu_model ?? null,
    gpu_serial: record.gpu_serial ?? null,
    workspace_id: record.workspace_id,
    api_key_id: record.api_key_id,
  };
}

function toDetails(record: AlertRecord): AlertDetails {
  const sections = record.resource_details ?? {};
  const gpu_id = record.gpu_id ?? sections.gpu_details?.gpu_id ?? null;
  const { created_at, hostname = null, gpu_model = null, gpu_serial = null } = record;
  return {
    gpu_id,
    session_id: record.session_id ?? null,
    host_id: record.host_id ?? null,
    resource_details: JSON.stringify(
      completeResourceDetails(sections, { created_at, hostname, gpu_id, gpu_model, gpu_serial }),
    ),
  };
}

/** Returns the first field, except the state, in which two versions of an alert differ. */
function changedField(before: Alert, now: Alert): string | null {
  const itemFields = Object.keys(now.item) as (keyof AlertListItem)[];
  const ofItem = itemFields.find((field) => field !== 'state' && before.item[field] !== now.item[field]);
  if (ofItem !== undefined) return ofItem;
  const detailFields = Object.keys(now.details) as (keyof AlertDetails)[];
  return detailFields.find((field) => before.details[field] !== now.details[field]) ?? null;
}
