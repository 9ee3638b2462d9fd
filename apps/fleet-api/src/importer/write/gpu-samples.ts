import { GPU_READINGS, type GpuReadings, READING_NAMES, type ReadingName } from '../records/gpu-readings.ts';
import type { Attributed, GpuSampleRecord } from '../records/records.ts';
import type { ImportConnection } from './import-connection.ts';
import { isSameReal } from './same-real.ts';

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

/** Inserts samples. @param readings names of the readings that at least one of them has; the others are null */
export async function insertGpuSamples(
  connection: ImportConnection,
  readings: readonly ReadingName[],
  records: Iterable<Attributed<GpuSampleRecord>>,
): Promise<void> {
  await connection.copy('fleet.gpu_samples', ['customer_id', 'gpu_id', 'at', ...readings], records);
}

/** Returns the names of the readings that at least one of the samples has. */
export function readingsOf(records: readonly GpuSampleRecord[]): ReadingName[] {
  return READING_NAMES.filter((name) => records.some((record) => (record[name] ?? null) !== null));
}

/** Returns the first reading in which two samples differ in the stored precision, or null. */
export function differingReading(stored: GpuReadings, received: GpuReadings): string | null {
  return READING_NAMES.find((name) => !isSameReading(name, stored[name], received[name])) ?? null;
}

function isSameReading<Name extends ReadingName>(
  name: Name,
  stored: GpuReadings[Name],
  received: GpuReadings[Name],
): boolean {
  return typeof stored === 'number' &&
    typeof received === 'number' &&
    GPU_READINGS[name].columnType === 'real'
    ? isSameReal(stored, received)
    : (stored ?? null) === (received ?? null);
}
