import { GPU_READINGS, type GpuReadings, READING_NAMES, type ReadingName } from '../records/gpu-readings.ts';
import type { GpuSampleRecord } from '../records/records.ts';
import type { CopyRow } from './copy-rows.ts';
import type { ImportConnection } from './import-connection.ts';

const COLUMNS = ['customer_id', 'gpu_id', 'at', ...READING_NAMES] as const;

/** Reads rows of `fleet.gpu_samples`, by customer, GPU and time. */
const READ_SAMPLES = `SELECT s.gpu_id, s.at, ${READING_NAMES.map((reading) => `s.${reading}`).join(', ')}
  FROM unnest($2::text[], $3::timestamptz[]) AS wanted (gpu_id, at)
  JOIN fleet.gpu_samples s ON s.customer_id = $1 AND s.gpu_id = wanted.gpu_id AND s.at = wanted.at`;

/** Reads the samples that exist, by `gpuSampleKey`. */
export async function readGpuSamples(
  connection: ImportConnection,
  customerId: number,
  wanted: readonly GpuSampleRecord[],
): Promise<Map<string, GpuReadings>> {
  if (wanted.length === 0) return new Map();
  const rows = await connection.query<GpuReadings & { gpu_id: string; at: Date }>(READ_SAMPLES, [
    customerId,
    wanted.map((record) => record.gpu_id),
    wanted.map((record) => record.at),
  ]);
  return new Map(rows.map((row) => [gpuSampleKey({ gpu_id: row.gpu_id, at: row.at.toISOString() }), row]));
}

export function gpuSampleKey({ gpu_id, at }: { gpu_id: string; at: string }): string {
  return `${gpu_id} ${at}`;
}

export async function insertGpuSamples(
  connection: ImportConnection,
  customerId: number,
  records: Iterable<GpuSampleRecord>,
): Promise<void> {
  await connection.copy('fleet.gpu_samples', COLUMNS, rowsOf(customerId, records));
}

/** Returns the first reading in which two samples differ in the stored precision, or null. */
export function differingReading(stored: GpuReadings, received: GpuReadings): string | null {
  return READING_NAMES.find((name) => storedValue(stored, name) !== storedValue(received, name)) ?? null;
}

function storedValue(readings: GpuReadings, name: ReadingName): number | boolean | string | null {
  const value = readings[name] ?? null;
  return typeof value === 'number' && GPU_READINGS[name].columnType === 'real' ? Math.fround(value) : value;
}

function* rowsOf(
  customerId: number,
  records: Iterable<GpuSampleRecord>,
): Generator<Partial<CopyRow<(typeof COLUMNS)[number]>>> {
  for (const record of records) yield { ...record, customer_id: customerId };
}
