import { nameUuid } from '../records/name-uuid.ts';
import type { Attributed, GpuWorkloadRecord } from '../records/records.ts';
import { addObservation } from './add-observation.ts';
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';

/** Columns of the latest observation. */
const LATEST = ['usage_category', 'namespace', 'pod', 'job', 'owner'] as const;

interface Observation extends Record<(typeof LATEST)[number], string> {
  gpu_id: string;
  workload_id: string;
  name: string;
  description: string;
  first_at: string;
  at: string;
}

/** Inserts and updates rows of `fleet.gpu_workloads`, by customer, GPU and workload. Returns those that changed. */
const WRITE_WORKLOADS = `INSERT INTO fleet.gpu_workloads AS stored (customer_id, gpu_id, workload_id, name, description, ${LATEST.join(', ')},
    first_seen, last_seen)
  SELECT $1, gpu_id, workload_id, name, description, ${LATEST.join(', ')}, first_at, at
  FROM json_to_recordset($2) AS staged (gpu_id text, workload_id uuid, name text, description text,
    ${LATEST.map((column) => `${column} text`).join(', ')}, first_at timestamptz, at timestamptz)
  ON CONFLICT (customer_id, gpu_id, workload_id) DO UPDATE SET
    ${LATEST.map((column) => `${column} = CASE WHEN stored.last_seen < excluded.last_seen THEN excluded.${column} ELSE stored.${column} END`).join(', ')},
    first_seen = least(stored.first_seen, excluded.first_seen), last_seen = greatest(stored.last_seen, excluded.last_seen)
  WHERE stored.last_seen < excluded.last_seen OR stored.first_seen > excluded.first_seen
  RETURNING gpu_id, workload_id`;

/** Writes `gpu_workload` records of known GPUs. The latest one decides the properties of a workload. */
export async function writeWorkloads(
  { connection, customerId, outcomes }: BatchContext,
  entries: BatchEntry<Attributed<GpuWorkloadRecord>>[],
): Promise<void> {
  if (entries.length === 0) return;
  // A statement cannot update a row twice: several observations in a batch are merged.
  const observations = new Map<string, Observation>();
  const keys = entries.map(({ record }) => {
    const { gpu_id, name, description = '', at } = record;
    const workload_id = workloadId(customerId, record);
    const observation = { gpu_id, workload_id, name, description, ...latestOf(record), first_at: at, at };
    const key = keyOf(observation);
    addObservation(observations, key, observation);
    return key;
  });
  const written = await connection.query<{ gpu_id: string; workload_id: string }>(WRITE_WORKLOADS, [
    customerId,
    JSON.stringify([...observations.values()]),
  ]);
  const writtenKeys = new Set(written.map(keyOf));
  // All records of a changed workload count as written, also equal ones in the batch.
  entries.forEach((entry, i) => {
    if (writtenKeys.has(keys[i] as string)) outcomes.recordWritten(entry);
    else outcomes.recordDuplicate(entry);
  });
}

function keyOf({ gpu_id, workload_id }: Pick<Observation, 'gpu_id' | 'workload_id'>): string {
  return `${gpu_id} ${workload_id}`;
}

function latestOf(record: GpuWorkloadRecord): Record<(typeof LATEST)[number], string> {
  const { usage_category = '', namespace = '', pod = '', job = '', owner = '' } = record;
  return { usage_category, namespace, pod, job, owner };
}

function workloadId(customerId: number, { name, uid = '', description = '' }: GpuWorkloadRecord): string {
  return nameUuid('workload', customerId, [name, uid, description]);
}
