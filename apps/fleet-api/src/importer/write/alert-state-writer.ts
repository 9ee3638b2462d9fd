import type { AlertState } from '@gpu-observatory/domain-types';
import { renderAlertDoc, severityRank, stateRank } from '../../model/alerts/alert-document.ts';
import type { AlertStateRecord, Attributed } from '../records/records.ts';
import type { AlertCounts } from './alert-counts.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import type { ImportConnection } from './import-connection.ts';
import { type StoredAlert, readStoredAlerts, UNKNOWN_ALERT } from './stored-alerts.ts';

/** Page tokens expire after 24 h. Past states are kept a little longer. */
export const PAST_STATES_KEPT = '36 hours';

/** Writes the `alert_state` records of one batch, in its transaction, with its sequence number. */
export class AlertStateWriter {
  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
    private readonly seq: number,
    private readonly counts: AlertCounts,
    private readonly outcomes: Outcomes,
  ) {}

  /**
   * Changes states. The past state is kept for pagination that started before (docs/decisions/snapshot-pagination.md).
   * Several changes of one alert in a batch are one change to the last state: no page can include the states between.
   */
  async states(entries: BatchEntry<Attributed<AlertStateRecord>>[]): Promise<void> {
    if (entries.length === 0) return;
    const ids = entries.map(({ record }) => record.alert_id);
    const stored = await readStoredAlerts(this.connection, this.customerId, ids);
    const now = new Map<string, StoredAlert>();
    for (const entry of entries) {
      const id = entry.record.alert_id.toLowerCase();
      const alert = now.get(id) ?? stored.get(id);
      if (!alert) this.outcomes.reject(entry, UNKNOWN_ALERT);
      else {
        const next = this.apply(entry, alert);
        if (next !== null) now.set(id, next);
      }
    }
    await this.write(
      [...now.values()].map((alert) => ({
        ...alert,
        before: (stored.get(alert.item.id) as StoredAlert).item.state,
      })),
    );
  }

  /** @returns the changed alert, or null when the record is rejected or a duplicate */
  private apply(entry: BatchEntry<Attributed<AlertStateRecord>>, alert: StoredAlert): StoredAlert | null {
    const { item, changedAt } = alert;
    const { state, at: recordAt } = entry.record;
    const at = recordAt ?? latest(new Date().toISOString(), changedAt ?? item.created_at);
    if (at < item.created_at) {
      this.outcomes.reject(entry, `at is before the creation of the alert (${item.created_at})`);
      return null;
    }
    const old = recordAt !== undefined && changedAt !== null && at <= changedAt;
    if (old && at === changedAt && item.state !== state) {
      this.outcomes.reject(entry, `a change of this alert to ${item.state} at this time is already stored`);
      return null;
    }
    if (old || (recordAt === undefined && item.state === state)) {
      this.outcomes.duplicate(entry);
      return null;
    }
    this.outcomes.wrote(entry);
    return { item: { ...item, state }, changedAt: at };
  }

  private async write(alerts: (StoredAlert & { before: AlertState })[]): Promise<void> {
    if (alerts.length === 0) return;
    const changed = alerts.filter(({ item, before }) => item.state !== before);
    // A state that began in this batch was never visible and is not kept.
    await this.connection.query(
      `INSERT INTO fleet.alert_past_states (customer_id, id, created_at, workspace_id, api_key_id, severity, state, type,
         hostname, title, description, gpu_id, seq, since_seq, until_seq, changed_at, doc)
       SELECT a.customer_id, a.id, a.created_at, a.workspace_id, a.api_key_id, a.severity, a.state, a.type, a.hostname,
              a.title, a.description, a.gpu_id, a.seq, a.state_seq, $2, now(), a.doc
       FROM unnest($3::uuid[], $4::timestamptz[]) AS changed (id, created_at)
       JOIN fleet.alerts a ON a.customer_id = $1 AND a.id = changed.id AND a.created_at = changed.created_at
       WHERE a.state_seq < $2`,
      [
        this.customerId,
        this.seq,
        changed.map(({ item }) => item.id),
        changed.map(({ item }) => item.created_at),
      ],
    );
    await this.connection.query(
      `UPDATE fleet.alerts a SET state = changed.state, state_at = changed.state_at, doc = changed.doc,
         state_seq = CASE WHEN a.state = changed.state THEN a.state_seq ELSE $2 END
       FROM unnest($3::uuid[], $4::timestamptz[], $5::smallint[], $6::timestamptz[], $7::text[])
         AS changed (id, created_at, state, state_at, doc)
       WHERE a.customer_id = $1 AND a.id = changed.id AND a.created_at = changed.created_at`,
      [
        this.customerId,
        this.seq,
        alerts.map(({ item }) => item.id),
        alerts.map(({ item }) => item.created_at),
        alerts.map(({ item }) => stateRank(item.state)),
        alerts.map(({ changedAt }) => changedAt),
        alerts.map(({ item }) => renderAlertDoc(item)),
      ],
    );
    await this.connection.query(
      'DELETE FROM fleet.alert_past_states WHERE customer_id = $1 AND changed_at < now() - $2::interval',
      [this.customerId, PAST_STATES_KEPT],
    );
    for (const { before, item } of changed) {
      const counted = { ...item, severity: severityRank(item.severity) };
      this.counts.add({ ...counted, state: stateRank(before) }, -1);
      this.counts.add({ ...counted, state: stateRank(item.state) }, 1);
    }
  }
}

function latest(a: string, b: string): string {
  return a > b ? a : b;
}
