import { DAY_READINGS, HALF_HOUR_READINGS } from '../../model/gpu-days/format.ts';
import { WRITE_DAY_SUMS_SQL } from '../../model/gpu-days/write-day-sums.sql.ts';
import { GpuDay } from './gpu-day.ts';
import type { ImportConnection } from './import-connection.ts';

const SUM_PER_HALF_HOUR = { sum: 'float8[]', n: 'smallint[]' };
const SUM_PER_DAY = { sum: 'float8', n: 'integer' };
/** Columns and their types, without the customer. */
const COLUMN_TYPES = {
  gpu_id: 'text',
  day: 'timestamptz',
  samples: 'smallint[]',
  ...sumColumns(HALF_HOUR_READINGS, SUM_PER_HALF_HOUR),
  xid_reports: 'smallint[]',
  ...sumColumns([{ column: 'memory_pct' }], SUM_PER_DAY),
  ...sumColumns(DAY_READINGS, SUM_PER_DAY),
};
const COLUMNS = Object.keys(COLUMN_TYPES);

/** Returns the two columns of each mean with their types. */
function sumColumns(
  means: readonly { column: string }[],
  types: { sum: string; n: string },
): Record<string, string> {
  return Object.fromEntries(
    means.flatMap(({ column }) => [
      [`${column}_sum`, types.sum],
      [`${column}_n`, types.n],
    ]),
  );
}

type HalfHourColumn = `${(typeof HALF_HOUR_READINGS)[number]['column']}_${'sum' | 'n'}`;
type DayColumn = `${(typeof DAY_READINGS)[number]['column'] | 'memory_pct'}_${'sum' | 'n'}`;

interface GpuDayRow extends Record<HalfHourColumn, number[]>, Record<DayColumn, number> {
  gpu_id: string;
  day: Date;
  samples: number[];
  xid_reports: number[];
}

/** Reads rows of `fleet.gpu_days`, by customer, GPU and day. */
const READ_DAYS = `SELECT ${COLUMNS.map((column) => `d.${column}`).join(', ')}
  FROM unnest($2::text[], $3::timestamptz[]) AS wanted (gpu_id, day)
  JOIN fleet.gpu_days d ON d.customer_id = $1 AND d.gpu_id = wanted.gpu_id AND d.day = wanted.day`;

/** Reads the days that exist, by `gpuDayKey`. */
export async function readGpuDays(
  connection: ImportConnection,
  customerId: number,
  wanted: { gpuId: string; dayMs: number }[],
): Promise<Map<string, GpuDay>> {
  const rows = await connection.query<GpuDayRow>(READ_DAYS, [
    customerId,
    wanted.map(({ gpuId }) => gpuId),
    wanted.map(({ dayMs }) => new Date(dayMs)),
  ]);
  return new Map(rows.map((row) => [gpuDayKey(row.gpu_id, row.day.getTime()), fromRow(row)]));
}

export function gpuDayKey(gpuId: string, dayMs: number): string {
  return `${dayMs} ${gpuId}`;
}

/** Inserts and updates rows of `fleet.gpu_days`, by customer, from the JSON of `toRow`. */
const WRITE_DAYS = `INSERT INTO fleet.gpu_days (customer_id, ${COLUMNS.join(', ')})
  SELECT $1, ${COLUMNS.join(', ')}
  FROM json_to_recordset($2) AS staged (${Object.entries(COLUMN_TYPES)
    .map((column) => column.join(' '))
    .join(', ')})
  ON CONFLICT (customer_id, gpu_id, day) DO UPDATE
  SET ${COLUMNS.filter((column) => column !== 'gpu_id' && column !== 'day')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/**
 * Replaces days by their new versions, and updates their running sums. The caller holds the lock of the customer's data version, so
 * no other session writes them.
 */
export async function writeGpuDays(
  connection: ImportConnection,
  customerId: number,
  days: { gpuId: string; day: GpuDay }[],
): Promise<void> {
  if (days.length === 0) return;
  await connection.query(WRITE_DAYS, [
    customerId,
    JSON.stringify(days.map(({ gpuId, day }) => toRow(gpuId, day))),
  ]);
  await connection.query(WRITE_DAY_SUMS_SQL, [
    customerId,
    days.map(({ gpuId }) => gpuId),
    days.map(({ day }) => new Date(day.startMs)),
  ]);
}

function toRow(gpuId: string, day: GpuDay): object {
  return {
    gpu_id: gpuId,
    day: new Date(day.startMs),
    samples: day.samples,
    ...sumsByColumn(HALF_HOUR_READINGS, day.halfHourMeans),
    xid_reports: day.xidReports,
    ...sumsByColumn([{ column: 'memory_pct' }], [day.memoryPct]),
    ...sumsByColumn(DAY_READINGS, day.dayMeans),
  };
}

/** @param means in the order of the readings */
function sumsByColumn<Sum>(
  readings: readonly { column: string }[],
  means: readonly { sum: Sum; n: Sum }[],
): Record<string, Sum | undefined> {
  return Object.fromEntries(
    readings.flatMap(({ column }, index) => [
      [`${column}_sum`, means[index]?.sum],
      [`${column}_n`, means[index]?.n],
    ]),
  );
}

function fromRow(row: GpuDayRow): GpuDay {
  return Object.assign(new GpuDay(row.day.getTime()), {
    samples: row.samples,
    halfHourMeans: HALF_HOUR_READINGS.map(({ column }) => ({
      sum: row[`${column}_sum`],
      n: row[`${column}_n`],
    })),
    xidReports: row.xid_reports,
    memoryPct: { sum: row.memory_pct_sum, n: row.memory_pct_n },
    dayMeans: DAY_READINGS.map(({ column }) => ({ sum: row[`${column}_sum`], n: row[`${column}_n`] })),
  });
}
