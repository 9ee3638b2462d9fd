import type { AlertListItem } from '@gpu-observatory/domain-types';
import { parseAlertDoc } from '../../model/alerts/alert-document.ts';
import type { ImportConnection } from './import-connection.ts';

export const UNKNOWN_ALERT = 'alert_id is unknown: send the alert first';

export interface StoredAlert {
  item: AlertListItem;
  /** When the state last changed, RFC 3339; null: never. */
  changedAt: string | null;
}

/** Fields of an alert that its list item lacks. */
export interface AlertDetails {
  gpu_id: string | null;
  session_id: string | null;
  host_id: string | null;
  /** JSON of the six sections. */
  resource_details: string;
}

/** Reads the documents of `fleet.alerts`, by customer and id. */
const READ_ALERTS = 'SELECT doc, state_at FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[])';

/** Reads the alerts with these ids from all partitions, by id. */
export async function readStoredAlerts(
  connection: ImportConnection,
  customerId: number,
  ids: string[],
): Promise<Map<string, StoredAlert>> {
  const rows = await connection.query<{ doc: string; state_at: Date | null }>(READ_ALERTS, [
    customerId,
    [...new Set(ids)],
  ]);
  return new Map(
    rows.map(({ doc, state_at }) => {
      const item = parseAlertDoc(doc);
      return [item.id, { item, changedAt: state_at?.toISOString() ?? null }];
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

/** Reads the GPUs of `fleet.alerts`, by customer and id. */
const READ_GPU_IDS = 'SELECT id, gpu_id FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[])';

/** Reads rows of `fleet.alert_details`, by customer and alert. */
const READ_DETAILS = `SELECT alert_id AS id, session_id, host_id, resource_details FROM fleet.alert_details
  WHERE customer_id = $1 AND alert_id = ANY ($2::uuid[])`;

/** Reads the details of alerts, by id. */
export async function readAlertDetails(
  connection: ImportConnection,
  customerId: number,
  ids: string[],
): Promise<Map<string, AlertDetails>> {
  if (ids.length === 0) return new Map();
  // Two statements, each with one index scan: for a join, the planner has chosen nested loops over all partitions.
  const gpus = await connection.query<{ id: string; gpu_id: string | null }>(READ_GPU_IDS, [customerId, ids]);
  const gpuOf = new Map(gpus.map(({ id, gpu_id }) => [id, gpu_id]));
  const rows = await connection.query<Omit<AlertDetails, 'gpu_id'> & { id: string }>(READ_DETAILS, [
    customerId,
    ids,
  ]);
  return new Map(rows.map(({ id, ...details }) => [id, { gpu_id: gpuOf.get(id) ?? null, ...details }]));
}
