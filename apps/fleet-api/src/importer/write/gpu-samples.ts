import type { GpuReadings, GpuSampleRecord } from '../records/records.ts';
import type { CopyRow } from './copy-rows.ts';
import type { ImportConnection } from './import-connection.ts';

/** Readings that `fleet.gpu_samples` stores as float4. */
const MEASURED = [
  'utilization_pct',
  'memory_used_mib',
  'memory_total_mib',
  'temperature_c',
  'memory_temperature_c',
  'power_draw_w',
  'power_limit_w',
  'fan_pct',
  'sm_clock_mhz',
  'memory_clock_mhz',
  'tensor_active_pct',
  'dram_active_pct',
  'pcie_tx_mb_per_second',
  'pcie_rx_mb_per_second',
] as const satisfies (keyof GpuReadings)[];
/** Readings that it stores exactly. */
const EXACT = [
  'xid_last_code',
  'throttle_reasons',
  'ecc_single_bit_total',
  'ecc_double_bit_total',
  'row_remap_failed',
  'row_remap_pending',
  'remapped_rows_total',
  'nvlink_errors_total',
  'pcie_replays_total',
  'energy_millijoules_total',
] as const satisfies (keyof GpuReadings)[];
const READINGS = [...MEASURED, ...EXACT];
type Reading = (typeof READINGS)[number];
const COLUMNS = ['customer_id', 'gpu_id', 'at', ...READINGS] as const;

/** Reads rows of `fleet.gpu_samples`, by customer, GPU and time. */
const READ_SAMPLES = `SELECT s.gpu_id, s.at, ${READINGS.map((reading) => `s.${reading}`).join(', ')}
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

/** Returns the first reading in which two samples differ after rounding to the stored precision. */
export function differingReading(stored: GpuReadings, received: GpuReadings): string | null {
  const measured = MEASURED.find((reading) => rounded(stored[reading]) !== rounded(received[reading]));
  return (
    measured ?? EXACT.find((reading) => (stored[reading] ?? null) !== (received[reading] ?? null)) ?? null
  );
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Math.fround(value);
}

function* rowsOf(
  customerId: number,
  records: Iterable<GpuSampleRecord>,
): Generator<CopyRow<(typeof COLUMNS)[number]>> {
  for (const { gpu_id, at, ...record } of records) {
    const readings = Object.fromEntries(READINGS.map((reading) => [reading, record[reading] ?? null]));
    yield { customer_id: customerId, gpu_id, at, ...(readings as Record<Reading, number | boolean | null>) };
  }
}
