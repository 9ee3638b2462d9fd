import type { AlertListItem } from '@gpu-observatory/domain-types';
import { parseAlertDoc } from '../../model/alerts/alert-document.ts';
import type { ChangedAlert } from './changed-alerts.ts';
import type { ImportConnection } from './import-connection.ts';

export const UNKNOWN_ALERT = 'alert_id is unknown: send the alert first';

/** An alert as `fleet.alerts` stores it. */
interface StoredAlert {
  item: AlertListItem;
  gpu_id: string | null;
  /** Time of the last change of the state, RFC 3339; null when it has not changed. */
  state_at: string | null;
}

/** Returns the version of an alert before its first change in a batch. */
export function unchangedVersion({ item, state_at }: StoredAlert): ChangedAlert {
  return { before: item, after: item, state_at };
}

/** Fields of an alert that `fleet.alerts` lacks. */
export interface AlertDetails {
  session_id: string | null;
  host_id: string | null;
  /** JSON of the six sections. */
  resource_details: string;
}

/** Reads rows of `fleet.alerts`, by customer and id. */
const READ_ALERTS =
  'SELECT doc, gpu_id, state_at FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[])';

/** Reads the alerts with these ids from all partitions, by id. */
export async function readStoredAlerts(
  connection: ImportConnection,
  customerId: number,
  ids: string[],
): Promise<Map<string, StoredAlert>> {
  const rows = await connection.query<{ doc: string; gpu_id: string | null; state_at: Date | null }>(
    READ_ALERTS,
    [customerId, [...new Set(ids)]],
  );
  return new Map(
    rows.map(({ doc, gpu_id, state_at }) => {
      const item = parseAlertDoc(doc);
      return [item.id, { item, gpu_id, state_at: state_at?.toISOString() ?? null }];
    }),
  );
}

/** Reads the ids of `fleet.alerts` that exist, by customer and id. */
const READ_IDS = 'SELECT id FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[])';

/** Returns the ids that exist, in any partition. */
export async function readStoredIds(
  connection: ImportConnection,
  customerId: number,
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await connection.query<{ id: string }>(READ_IDS, [customerId, [...new Set(ids)]]);
  return new Set(rows.map(({ id }) => id));
}

/** Reads rows of `fleet.alert_details`, by customer and alert. */
const READ_DETAILS = `SELECT alert_id AS id, session_id, host_id, resource_details FROM fleet.alert_details
  WHERE customer_id = $1 AND alert_id = ANY ($2::uuid[])`;

/**
 * Reads the details of alerts, by id. This is not a join with `fleet.alerts`, for which the planner chose nested loops over all
 * partitions.
 */
export async function readAlertDetails(
  connection: ImportConnection,
  customerId: number,
  ids: string[],
): Promise<Map<string, AlertDetails>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.query<AlertDetails & { id: string }>(READ_DETAILS, [customerId, ids]);
  return new Map(rows.map(({ id, ...details }) => [id, details]));
}
