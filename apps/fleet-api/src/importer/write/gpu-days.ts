import { DAY_READINGS, HALF_HOUR_READINGS } from '../../model/gpu-days/format.ts';
import { WRITE_DAY_SUMS_SQL } from '../../model/gpu-days/write-day-sums.sql.ts';
import { GpuDay } from './gpu-day.ts';
import type { ImportConnection } from './import-connection.ts';

const COLUMNS = [
  'customer_id',
  'gpu_id',
  'day',
  'samples',
  ...HALF_HOUR_READINGS.flatMap(({ column }) => [`${column}_sum`, `${column}_n`] as const),
  'xid_reports',
  'memory_pct_sum',
  'memory_pct_n',
  ...DAY_READINGS.flatMap(({ column }) => [`${column}_sum`, `${column}_n`] as const),
] as const;
/** Columns with one value per day. */
const DAY_COLUMNS: ReadonlySet<string> = new Set(COLUMNS.slice(COLUMNS.indexOf('memory_pct_sum')));

type DayValue = string | number | Date | readonly number[];
type HalfHourColumn = `${(typeof HALF_HOUR_READINGS)[number]['column']}_${'sum' | 'n'}`;
type DayColumn = `${(typeof DAY_READINGS)[number]['column'] | 'memory_pct'}_${'sum' | 'n'}`;

interface GpuDayRow extends Record<HalfHourColumn, number[]>, Record<DayColumn, number> {
  gpu_id: string;
  day: Date;
  samples: number[];
  xid_reports: number[];
}

/** Reads rows of `fleet.gpu_days`, by customer, GPU and day. */
const READ_DAYS = `SELECT ${COLUMNS.slice(1)
  .map((column) => `d.${column}`)
  .join(', ')}
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

const TYPES = COLUMNS.map((column) => {
  if (column === 'customer_id') return 'integer';
  if (column === 'gpu_id') return 'text';
  if (column === 'day') return 'timestamptz';
  if (column === 'samples' || column === 'xid_reports') return 'smallint[]';
  const perDay = DAY_COLUMNS.has(column);
  if (column.endsWith('_sum')) return perDay ? 'float8' : 'float8[]';
  return perDay ? 'integer' : 'smallint[]';
});
// PostgreSQL arrays of arrays must be rectangular, so the arrays are sent as text and parsed there.
const UPSERT = `INSERT INTO fleet.gpu_days (${COLUMNS.join(', ')})
  SELECT ${COLUMNS.map((column, index) => `staged.${column}::${TYPES[index]}`).join(', ')}
  FROM unnest(${COLUMNS.map((_column, index) => `$${index + 1}::text[]`).join(', ')}) AS staged (${COLUMNS.join(', ')})
  ON CONFLICT (customer_id, gpu_id, day) DO UPDATE
  SET ${COLUMNS.slice(3)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/**
 * Writes days over their stored versions, and their running sums. The caller holds the lock of the customer's data version, so
 * no other session writes them.
 */
export async function writeGpuDays(
  connection: ImportConnection,
  customerId: number,
  days: { gpuId: string; day: GpuDay }[],
): Promise<void> {
  if (days.length === 0) return;
  const rows = days.map(({ gpuId, day }) => toRow(customerId, gpuId, day));
  await connection.query(
    UPSERT,
    COLUMNS.map((_column, index) => rows.map((row) => text(row[index] as DayValue))),
  );
  await connection.query(WRITE_DAY_SUMS_SQL, [
    customerId,
    days.map(({ gpuId }) => gpuId),
    days.map(({ day }) => new Date(day.startMs)),
  ]);
}

function text(value: DayValue): string {
  if (Array.isArray(value)) return `{${value.join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}

function toRow(customerId: number, gpuId: string, day: GpuDay): DayValue[] {
  return [
    customerId,
    gpuId,
    new Date(day.startMs),
    day.samples,
    ...day.halfHourMeans.flatMap(({ sum, n }) => [sum, n]),
    day.xidReports,
    day.memoryPct.sum,
    day.memoryPct.n,
    ...day.dayMeans.flatMap(({ sum, n }) => [sum, n]),
  ];
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
