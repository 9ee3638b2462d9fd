import type { AlertListItem } from '@gpu-observatory/domain-types';
import { ALERT_COLUMNS } from '../../model/alerts/alert-columns.ts';
import { renderAlertDoc, severityRank, stateRank } from '../../model/alerts/alert-document.ts';
import { PAST_STATES_KEPT } from '../../model/alerts/past-states.ts';
import type { BatchContext } from './batch-context.ts';

/** A stored alert and its next version. */
export interface ChangedAlert {
  before: AlertListItem;
  after: AlertListItem;
  /** Time of the last change of the state, RFC 3339; null when it has not changed. */
  state_at: string | null;
}

/** Copies the versions before $2 from `fleet.alerts` to `fleet.alert_past_states`, by customer, id and time of creation. */
const KEEP_PAST_STATES = `INSERT INTO fleet.alert_past_states (${ALERT_COLUMNS.join(', ')}, since_seq, until_seq, changed_at)
  SELECT ${ALERT_COLUMNS.map((column) => `a.${column}`).join(', ')}, a.state_seq, $2, now()
  FROM unnest($3::uuid[], $4::timestamptz[]) AS changed (id, created_at)
  JOIN fleet.alerts a ON a.customer_id = $1 AND a.id = changed.id AND a.created_at = changed.created_at
  WHERE a.state_seq < $2`;

/** Updates rows of `fleet.alerts`, by customer, id and time of creation. */
const UPDATE_ALERTS = `UPDATE fleet.alerts a SET state = changed.state, severity = changed.severity, type = changed.type,
    title = changed.title, description = changed.description, state_at = changed.state_at, doc = changed.doc,
    words = string_to_array(changed.words, ',')::integer[],
    state_seq = CASE WHEN a.doc = changed.doc THEN a.state_seq ELSE $2 END
  FROM unnest($3::uuid[], $4::timestamptz[], $5::smallint[], $6::smallint[], $7::text[], $8::text[], $9::text[],
    $10::timestamptz[], $11::text[], $12::text[])
    AS changed (id, created_at, state, severity, type, title, description, state_at, doc, words)
  WHERE a.customer_id = $1 AND a.id = changed.id AND a.created_at = changed.created_at`;

/** Deletes expired rows of `fleet.alert_past_states`, by customer and time of the change. */
const DELETE_PAST_STATES =
  'DELETE FROM fleet.alert_past_states WHERE customer_id = $1 AND changed_at < now() - $2::interval';

/**
 * Updates stored alerts. The previous version is kept for pagination that started earlier
 * (docs/decisions/snapshot-pagination.md).
 *
 * @param alerts `words` are the index keys of the words of the next version
 */
export async function updateAlerts(
  { connection, customerId, seq }: BatchContext,
  alerts: (ChangedAlert & { words: number[] })[],
): Promise<void> {
  const rows = alerts.map((alert) => ({ ...alert, doc: renderAlertDoc(alert.after) }));
  const changed = rows.filter(({ before, doc }) => renderAlertDoc(before) !== doc);
  // A version that began in this batch was never visible and is not kept.
  await connection.query(KEEP_PAST_STATES, [
    customerId,
    seq,
    changed.map(({ after }) => after.id),
    changed.map(({ after }) => after.created_at),
  ]);
  await connection.query(UPDATE_ALERTS, [
    customerId,
    seq,
    rows.map(({ after }) => after.id),
    rows.map(({ after }) => after.created_at),
    rows.map(({ after }) => stateRank(after.state)),
    rows.map(({ after }) => severityRank(after.severity)),
    rows.map(({ after }) => after.type),
    rows.map(({ after }) => after.title),
    rows.map(({ after }) => after.description),
    rows.map(({ state_at }) => state_at),
    rows.map(({ doc }) => doc),
    rows.map(({ words }) => words.join(',')),
  ]);
  await connection.query(DELETE_PAST_STATES, [customerId, PAST_STATES_KEPT]);
}
