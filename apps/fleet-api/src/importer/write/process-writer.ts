import type { Attributed, GpuProcessRecord } from '../records/records.ts';
import { addObservation } from './add-observation.ts';
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';

/** Columns of the latest observation. */
const TEXTS = ['name', 'description', 'usage_category', 'namespace', 'pod', 'job', 'owner'];
const LATEST = [...TEXTS, 'gpu_utilization_pct', 'memory_used_mib'];

/** Inserts and updates rows of `fleet.gpu_processes`, by customer, GPU, pid and start time. Returns those that changed. */
const WRITE_PROCESSES = `INSERT INTO fleet.gpu_processes AS stored (customer_id, gpu_id, pid, started_at, ${LATEST.join(', ')}, first_seen, last_seen)
  SELECT $1, gpu_id, pid, started_at, ${TEXTS.map((column) => `coalesce(${column}, '')`).join(', ')},
         gpu_utilization_pct, memory_used_mib, first_at, at
  FROM jsonb_to_recordset($2) AS staged (gpu_id text, pid bigint, started_at timestamptz, ${TEXTS.map((column) => `${column} text`).join(', ')},
    gpu_utilization_pct real, memory_used_mib real, first_at timestamptz, at timestamptz)
  ON CONFLICT (customer_id, gpu_id, pid, started_at) DO UPDATE SET
    ${LATEST.map((column) => `${column} = CASE WHEN stored.last_seen < excluded.last_seen THEN excluded.${column} ELSE stored.${column} END`).join(', ')},
    first_seen = least(stored.first_seen, excluded.first_seen), last_seen = greatest(stored.last_seen, excluded.last_seen)
  WHERE stored.last_seen < excluded.last_seen OR stored.first_seen > excluded.first_seen
  RETURNING gpu_id, pid, started_at`;

/** The latest of several records of a process, with the time of the first. */
type Observation = GpuProcessRecord & { first_at: string };

/** Writes `gpu_process` records of known GPUs. The latest observation decides the properties of a process. */
export async function writeProcesses(
  { connection, customerId, outcomes }: BatchContext,
  entries: BatchEntry<Attributed<GpuProcessRecord>>[],
): Promise<void> {
  if (entries.length === 0) return;
  // A statement cannot update a row twice: several observations in a batch are merged.
  const observations = new Map<string, Observation>();
  for (const { record } of entries) {
    addObservation(observations, processKey(record), { ...record, first_at: record.at });
  }
  const written = await connection.query<{ gpu_id: string; pid: number; started_at: Date }>(WRITE_PROCESSES, [
    customerId,
    JSON.stringify([...observations.values()]),
  ]);
  const keys = new Set(
    written.map((row) => processKey({ ...row, started_at: row.started_at.toISOString() })),
  );
  for (const entry of entries) {
    if (keys.has(processKey(entry.record))) outcomes.recordWritten(entry);
    else outcomes.recordDuplicate(entry);
  }
}

function processKey(process: { gpu_id: string; pid: number; started_at: string }): string {
  return `${process.gpu_id} ${process.pid} ${process.started_at}`;
}
