import { nameUuid } from '../records/name-uuid.ts';
import type { Attributed, GpuWorkloadRecord } from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import type { ImportConnection } from './import-connection.ts';

type Observation = GpuWorkloadRecord & { workload_id: string; first_at: string };

/** Writes `gpu_workload` records of known GPUs. All records of a workload set its first and its last observation. */
export async function writeWorkloads(
  connection: ImportConnection,
  customerId: number,
  entries: BatchEntry<Attributed<GpuWorkloadRecord>>[],
  outcomes: Outcomes,
): Promise<void> {
  if (entries.length === 0) return;
  // A statement cannot update a row twice: several observations in a batch are merged.
  const observations = new Map<string, Observation>();
  const keys = new Map<BatchEntry, string>();
  for (const entry of entries) {
    const { record } = entry;
    const workload_id = workloadId(customerId, record);
    const key = `${record.gpu_id} ${workload_id}`;
    keys.set(entry, key);
    const merged = observations.get(key);
    const newest = merged && merged.at > record.at ? merged : record;
    const first_at = merged && merged.first_at < record.at ? merged.first_at : record.at;
    observations.set(key, { ...newest, workload_id, first_at });
  }
  const written = await connection.query<{ gpu_id: string; workload_id: string }>(
    `INSERT INTO fleet.gpu_workloads AS stored (customer_id, gpu_id, workload_id, name, description, usage_category,
       first_seen, last_seen)
     SELECT $1, gpu_id, workload_id, name, coalesce(description, ''), coalesce(usage_category, ''), first_at, at
     FROM jsonb_to_recordset($2) AS staged (gpu_id text, workload_id uuid, name text, description text,
       usage_category text, first_at timestamptz, at timestamptz)
     ON CONFLICT (customer_id, gpu_id, workload_id) DO UPDATE SET
       usage_category = CASE WHEN stored.last_seen < excluded.last_seen THEN excluded.usage_category
                             ELSE stored.usage_category END,
       first_seen = least(stored.first_seen, excluded.first_seen), last_seen = greatest(stored.last_seen, excluded.last_seen)
     WHERE stored.last_seen < excluded.last_seen OR stored.first_seen > excluded.first_seen
     RETURNING gpu_id, workload_id`,
    [customerId, JSON.stringify([...observations.values()])],
  );
  const writtenKeys = new Set(written.map(({ gpu_id, workload_id }) => `${gpu_id} ${workload_id}`));
  for (const entry of entries) {
    if (writtenKeys.has(keys.get(entry) as string)) outcomes.wrote(entry);
    else outcomes.duplicate(entry);
  }
}

function workloadId(customerId: number, { name, uid = '', description = '' }: GpuWorkloadRecord): string {
  return nameUuid('workload', customerId, [name, uid, description]);
}
