import type { AlertListItem } from '@gpu-observatory/domain-types';
import { parseAlertDoc } from '../../model/alerts/alert-document.ts';
import type { ImportConnection } from './import-connection.ts';

export const UNKNOWN_ALERT = 'alert_id is not known: send the alert first';

export interface KnownAlert {
  item: AlertListItem;
  /** When its state last changed, RFC 3339; null: it is as it was created. */
  changedAt: string | null;
}

/** What an alert has beside its list item. */
export interface AlertDetails {
  gpu_id: string | null;
  session_id: string | null;
  host_id: string | null;
  /** The six sections' JSON. */
  resource_details: string;
}

/** The alerts with these ids that are there, whatever their month, by id. */
export async function readKnownAlerts(
  connection: ImportConnection,
  customerId: number,
  ids: string[],
): Promise<Map<string, KnownAlert>> {
  const rows = await connection.query<{ doc: string; state_at: Date | null }>(
    'SELECT doc, state_at FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[])',
    [customerId, [...new Set(ids)]],
  );
  return new Map(
    rows.map(({ doc, state_at }) => {
      const item = parseAlertDoc(doc);
      return [item.id, { item, changedAt: state_at?.toISOString() ?? null }];
    }),
  );
}

/** Those of these ids that alerts have, whatever their month. */
export async function readKnownIds(
  connection: ImportConnection,
  customerId: number,
  ids: string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await connection.query<{ id: string }>(
    'SELECT id FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[])',
    [customerId, [...new Set(ids)]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** What known alerts have beside their list items, by id. */
export async function readAlertDetails(
  connection: ImportConnection,
  customerId: number,
  ids: string[],
): Promise<Map<string, AlertDetails>> {
  if (ids.length === 0) return new Map();
  // Two statements, each by one index: a join of the two has been planned as ten thousand walks through both.
  const gpus = await connection.query<{ id: string; gpu_id: string | null }>(
    'SELECT id, gpu_id FROM fleet.alerts WHERE customer_id = $1 AND id = ANY ($2::uuid[])',
    [customerId, ids],
  );
  const gpuOf = new Map(gpus.map(({ id, gpu_id }) => [id, gpu_id]));
  const rows = await connection.query<Omit<AlertDetails, 'gpu_id'> & { id: string }>(
    `SELECT alert_id AS id, session_id, host_id, resource_details FROM fleet.alert_details
     WHERE customer_id = $1 AND alert_id = ANY ($2::uuid[])`,
    [customerId, ids],
  );
  return new Map(rows.map(({ id, ...details }) => [id, { gpu_id: gpuOf.get(id) ?? null, ...details }]));
}
