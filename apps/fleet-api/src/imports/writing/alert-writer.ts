import { createHash } from 'node:crypto';
import {
  type AlertListItem,
  ALERT_STATES,
  type AlertState,
  type NodeDetails,
  type ResourceDetails,
  type TimelineEvent,
} from '@gpu-observatory/domain-types';
import { parseAlertDoc, renderAlertDoc, severityRank, stateRank } from '../../alerts/alert-doc.ts';
import type { AlertRecord, AlertStateRecord, Attributed, TimelineEventRecord } from '../records/records.ts';
import { AlertCounts } from './alert-counts.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import type { CopyValue, ImportConnection } from './import-connection.ts';

const ALERT_COLUMNS = [
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

const UNKNOWN_ALERT = 'alert_id is not known: send the alert first';
const NO_NODE: NodeDetails = {
  node_id: '',
  uptime: '',
  cpu_load: '',
  number_of_cpus_attached: '',
  cpu_utilization_average: '',
};

/** Writes the records about alerts of one batch, inside the batch's transaction, under the batch's `seq`. */
export class AlertWriter {
  private readonly counts = new AlertCounts();

  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly seq: number,
    private readonly outcomes: Outcomes,
  ) {}

  /** `alert` records. An id is unique across months: the same alert again is known, a different one is refused. */
  async alerts(entries: BatchEntry<Attributed<AlertRecord>>[]): Promise<void> {
    if (entries.length === 0) return;
    const known = await this.readDocs(entries.map(({ record }) => record.id));
    const fresh: { entry: BatchEntry<Attributed<AlertRecord>>; item: AlertListItem }[] = [];
    for (const entry of entries) {
      const item = toListItem(entry.record);
      const before = known.get(item.id);
      if (before === undefined) {
        known.set(item.id, item);
        fresh.push({ entry, item });
        continue;
      }
      const changed = changedField(before, item);
      if (changed === null) this.outcomes.known(entry);
      else {
        this.outcomes.reject(
          entry,
          `alert ${item.id} is known with another ${changed}: alerts do not change; send an alert_state for its state`,
        );
      }
    }
    await this.connection.copy(
      'fleet.alerts',
      ALERT_COLUMNS,
      fresh.map(({ entry, item }) => this.alertRow(entry.record, item)),
    );
    await this.connection.copy(
      'fleet.alert_details',
      DETAIL_COLUMNS,
      fresh.map(({ entry }) => this.detailRow(entry.record)),
    );
    for (const { entry, item } of fresh) {
      this.counts.add({ ...item, severity: severityRank(item.severity), state: stateRank(item.state) }, 1);
      this.outcomes.wrote(entry);
    }
  }

  /** `alert_state` records: what the alert was until now is kept, so that a walk that began before still sees it. */
  async states(entries: BatchEntry<Attributed<AlertStateRecord>>[]): Promise<void> {
    if (entries.length === 0) return;
    const docs = await this.readDocs(entries.map(({ record }) => record.alert_id));
    // Several changes of one alert in a batch are one change to the last of them: nobody can have seen those between.
    const wanted = new Map<string, AlertState>();
    for (const entry of entries) {
      const { alert_id: id, state } = entry.record;
      const item = docs.get(id.toLowerCase());
      if (!item) {
        this.outcomes.reject(entry, UNKNOWN_ALERT);
        continue;
      }
      if ((wanted.get(item.id) ?? item.state) === state) this.outcomes.known(entry);
      else this.outcomes.wrote(entry);
      wanted.set(item.id, state);
    }
    const changes = [...wanted]
      .map(([id, state]) => ({ before: docs.get(id) as AlertListItem, state }))
      .filter(({ before, state }) => before.state !== state);
    if (changes.length === 0) return;
    const values = [
      this.customerId,
      this.seq,
      changes.map(({ before }) => before.id),
      changes.map(({ before }) => before.created_at),
      changes.map(({ state }) => stateRank(state)),
      changes.map(({ before, state }) => renderAlertDoc({ ...before, state })),
    ];
    // A state that began in this very batch was seen by nobody and leaves no past behind.
    await this.connection.query(
      `INSERT INTO fleet.alert_past_states (customer_id, id, created_at, workspace_id, api_key_id, severity, state, type,
         hostname, title, description, gpu_id, seq, since_seq, until_seq, changed_at, doc)
       SELECT a.customer_id, a.id, a.created_at, a.workspace_id, a.api_key_id, a.severity, a.state, a.type, a.hostname,
              a.title, a.description, a.gpu_id, a.seq, a.state_seq, $2, now(), a.doc
       FROM unnest($3::uuid[], $4::timestamptz[]) AS changed (id, created_at)
       JOIN fleet.alerts a ON a.customer_id = $1 AND a.id = changed.id AND a.created_at = changed.created_at
       WHERE a.state_seq < $2`,
      values.slice(0, 4),
    );
    await this.connection.query(
      `UPDATE fleet.alerts a SET state = changed.state, state_seq = $2, doc = changed.doc
       FROM unnest($3::uuid[], $4::timestamptz[], $5::smallint[], $6::text[]) AS changed (id, created_at, state, doc)
       WHERE a.customer_id = $1 AND a.id = changed.id AND a.created_at = changed.created_at`,
      values,
    );
    for (const { before, state } of changes) {
      const counted = { ...before, severity: severityRank(before.severity) };
      this.counts.add({ ...counted, state: stateRank(before.state) }, -1);
      this.counts.add({ ...counted, state: stateRank(state) }, 1);
    }
  }

  /** `timeline_event` records. */
  async timeline(entries: BatchEntry<Attributed<TimelineEventRecord>>[]): Promise<void> {
    if (entries.length === 0) return;
    const known = await this.readDocs(entries.map(({ record }) => record.alert_id));
    const ofKnownAlerts = entries.filter((entry) => {
      if (known.has(entry.record.alert_id.toLowerCase())) return true;
      this.outcomes.reject(entry, UNKNOWN_ALERT);
      return false;
    });
    const rows = ofKnownAlerts.map(({ record }) => {
      const doc = JSON.stringify(toTimelineEvent(record));
      return { alert_id: record.alert_id.toLowerCase(), ts: record.ts, doc, digest: md5Uuid(doc) };
    });
    const written = await this.connection.query<{ key: string }>(
      `INSERT INTO fleet.alert_timeline_events (customer_id, alert_id, ts, digest, doc)
       SELECT $1, alert_id, ts, digest, doc
       FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[]) AS staged (alert_id, ts, digest, doc)
       ON CONFLICT (customer_id, alert_id, ts, digest) DO NOTHING
       RETURNING alert_id || ' ' || digest AS key`,
      [
        this.customerId,
        rows.map((row) => row.alert_id),
        rows.map((row) => row.ts),
        rows.map((row) => row.digest),
        rows.map((row) => row.doc),
      ],
    );
    const keys = new Set(written.map((row) => row.key));
    ofKnownAlerts.forEach((entry, index) => {
      const { alert_id, digest } = rows[index] as (typeof rows)[number];
      if (keys.delete(`${alert_id} ${digest}`)) this.outcomes.wrote(entry);
      else this.outcomes.known(entry);
    });
  }

  /** The counts of everything this batch changed. */
  async writeCounts(): Promise<void> {
    await this.counts.write(this.connection, this.customerId);
  }

  private async readDocs(ids: string[]): Promise<Map<string, AlertListItem>> {
    const rows = await this.connection.query<{ doc: string }>(
      'SELECT doc FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[])',
      [this.customerId, [...new Set(ids)]],
    );
    return new Map(rows.map(({ doc }) => parseAlertDoc(doc)).map((item) => [item.id, item]));
  }

  private alertRow(record: Attributed<AlertRecord>, item: AlertListItem): CopyValue[] {
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
      record.gpu_id ?? record.resource_details?.gpu_details?.gpu_id ?? null,
      this.seq,
      this.seq,
      renderAlertDoc(item),
    ];
  }

  private detailRow(record: Attributed<AlertRecord>): CopyValue[] {
    const given = record.resource_details ?? {};
    const details: ResourceDetails = {
      process_details: given.process_details ?? null,
      memory_details: given.memory_details ?? null,
      workload_details: given.workload_details ?? null,
      gpu_details: given.gpu_details ?? null,
      node_details: given.node_details ?? NO_NODE,
      container_details: given.container_details ?? null,
    };
    return [
      this.customerId,
      record.id,
      record.created_at,
      record.session_id ?? null,
      record.host_id ?? null,
      JSON.stringify(details),
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

/** The first field in which two versions of an alert differ, its state aside. */
function changedField(before: AlertListItem, now: AlertListItem): string | null {
  const fields = Object.keys(now) as (keyof AlertListItem)[];
  return fields.find((field) => field !== 'state' && before[field] !== now[field]) ?? null;
}

function toTimelineEvent(record: TimelineEventRecord): TimelineEvent {
  const { ts, pid, tid, event_type, event_info, comm, command_line, args, pwd } = record;
  return {
    ts,
    pid,
    tid,
    event_type,
    event_info,
    ...(comm !== undefined ? { comm } : {}),
    ...(command_line !== undefined ? { command_line } : {}),
    ...(args !== undefined ? { args } : {}),
    ...(pwd !== undefined ? { pwd } : {}),
  };
}

function md5Uuid(text: string): string {
  const hex = createHash('md5').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
