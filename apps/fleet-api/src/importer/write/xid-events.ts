import { xidVariantKey } from '../../model/health/xid-variant.ts';
import type { ImportConnection } from './import-connection.ts';

export interface XidEventRow {
  gpu_id: string;
  at: string;
  code: number;
  message: string;
  /** Order of events with the same time. */
  sequence: number;
}

/** Inserts XID events. @returns the keys of the new ones */
export async function insertXidEvents(
  connection: ImportConnection,
  customerId: number,
  events: XidEventRow[],
): Promise<Set<string>> {
  if (events.length === 0) return new Set();
  const rows = await connection.query<{ gpu_id: string; at: Date; code: number; message: string }>(
    `INSERT INTO fleet.gpu_xid_events (customer_id, gpu_id, at, code, variant, message, sequence)
     SELECT $1, gpu_id, at, code, variant, message, sequence
     FROM jsonb_to_recordset($2)
       AS staged (gpu_id text, at timestamptz, code integer, variant text, message text, sequence bigint)
     ON CONFLICT (customer_id, gpu_id, at, code, variant) DO NOTHING
     RETURNING gpu_id, at, code, message`,
    [
      customerId,
      JSON.stringify(
        events.map((event) => ({ ...event, variant: xidVariantKey(event.code, event.message) })),
      ),
    ],
  );
  return new Set(rows.map((row) => xidEventKey({ ...row, at: row.at.toISOString() })));
}

export function xidEventKey({
  gpu_id,
  at,
  code,
  message = '',
}: Pick<XidEventRow, 'gpu_id' | 'at' | 'code'> & { message?: string | undefined }): string {
  return `${gpu_id} ${at} ${code} ${xidVariantKey(code, message)}`;
}
