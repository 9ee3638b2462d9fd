import type { FleetService } from './fleet-service.ts';
import { rowsOf } from './fleet-tables.ts';
import { alertRecord, minutesAgo } from './records.ts';

/** Adds alerts of a customer, one a millisecond from now into the past, without the importer, which takes longer. */
export async function addAlerts(
  { database, import: importRecords }: Pick<FleetService, 'database' | 'import'>,
  count: number,
  customerId = 1,
): Promise<void> {
  await importRecords([
    alertRecord(1, { customer_id: customerId, workspace_id: null, created_at: minutesAgo(0) }),
  ]);
  await rowsOf(
    database.administratorUrl,
    `INSERT INTO fleet.alerts (customer_id, id, created_at, severity, state, type, title, description, words, seq, state_seq, doc)
     SELECT $2::integer, id, at, 1, 0, 'gpu_thermal', 'Alert ' || n, text, '{}', 1, 1,
       format('{"id":"%s","title":"Alert %s","description":"%s","type":"gpu_thermal","severity":"high","state":"active","created_at":"%s",'
         '"hostname":null,"gpu_model":null,"gpu_serial":null,"workspace_id":null,"api_key_id":null}',
         id, n, text, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     FROM (SELECT n, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid AS id, repeat('A process was observed. ', 10) AS text,
             (now() - n * interval '1 millisecond')::timestamptz(3) AS at
           FROM generate_series(1, $1::integer) AS n) AS numbered`,
    [count, customerId],
  );
  await rowsOf(database.administratorUrl, 'VACUUM ANALYZE fleet.alerts');
}
