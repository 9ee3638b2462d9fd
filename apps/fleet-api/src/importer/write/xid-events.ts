import type { ImportConnection } from './import-connection.ts';

export interface XidEventRow {
  gpu_id: string;
  at: string;
  code: number;
  message: string;
}

/** Inserts XID events. @returns the keys of the new ones */
export async function insertXidEvents(
  connection: ImportConnection,
  customerId: number,
  events: XidEventRow[],
): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const rows = await connection.query<{ gpu_id: string; at: Date; code: number }>(
    `INSERT INTO fleet.gpu_xid_events (customer_id, gpu_id, at, code, message)
     SELECT $1, gpu_id, at, code, message
     FROM jsonb_to_recordset($2) AS staged (gpu_id text, at timestamptz, code integer, message text)
     ON CONFLICT (customer_id, gpu_id, at, code) DO NOTHING
     RETURNING gpu_id, at, code`,
    [customerId, JSON.stringify(events)],
  );
  return new Set(rows.map((row) => xidEventKey({ ...row, at: row.at.toISOString() })));
}

export function xidEventKey({ gpu_id, at, code }: { gpu_id: string; at: string; code: number }): string {
  return `${gpu_id} ${at} ${code}`;
}
