import { DAY_READINGS, HALF_HOUR_READINGS } from '../../model/gpu-days/format.ts';
import { inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { withDataVersion } from '../data-version/data-version.ts';
import { gigabytesSql } from '../gpus/latest-readings.ts';
import { jobsSql } from '../jobs/jobs.sql.ts';

const MAX_JOBS = 1_000;

interface HistoryParameters {
  id: string;
  from: Date;
  to: Date;
  /** `from` in seconds since the epoch. */
  fromSeconds: number;
  /** Length of a step. */
  stepSeconds: number;
  stepCount: number;
}

/** Returns a list of expressions, one per reading. */
const listOf = <Reading>(readings: readonly Reading[], sqlOf: (reading: Reading) => string) =>
  readings.map(sqlOf).join(', ');

/** Returns the column `step`: the index of the step that contains a time, from 0. */
const stepSql = (at: string) =>
  `floor((extract(epoch FROM ${at}) - :fromSeconds::float8) / :stepSeconds::float8)::integer AS step`;

/** Means of raw samples by step. Used only for windows of a few days, because the samples of a GPU are spread over the table. */
const STEPS_OF_SAMPLES = `SELECT ${stepSql('s.at')}, ${listOf([...HALF_HOUR_READINGS, ...DAY_READINGS], ({ reading }) => `avg(s.${reading}) AS ${reading}`)}
    FROM fleet.gpu_samples s
    WHERE s.customer_id = :customer AND s.gpu_id = g.gpu_id AND s.at >= :from::timestamptz AND s.at < :to::timestamptz
    GROUP BY step`;

/** Means of half hours `u` by step. For `DAY_READINGS`, which are stored by day, a step has the mean of its days. */
const STEPS_OF_DAYS = `SELECT ${stepSql('h.at')},
      ${listOf(HALF_HOUR_READINGS, ({ reading, column }) => `sum(u.${column}_sum) / nullif(sum(u.${column}_n), 0) AS ${reading}`)},
      ${listOf(DAY_READINGS, ({ reading, column }) => `avg(d.${column}_sum / nullif(d.${column}_n, 0)) AS ${reading}`)}
    FROM fleet.gpu_days d
    CROSS JOIN LATERAL unnest(${listOf(HALF_HOUR_READINGS, ({ column }) => `d.${column}_sum, d.${column}_n`)}, d.samples)
      WITH ORDINALITY AS u (${listOf(HALF_HOUR_READINGS, ({ column }) => `${column}_sum, ${column}_n`)}, samples, number)
    CROSS JOIN LATERAL (SELECT d.day + (u.number - 1) * interval '30 minutes' AS at) AS h
    WHERE d.customer_id = :customer AND d.gpu_id = g.gpu_id AND d.day > :from::timestamptz - interval '1 day' AND d.day < :to::timestamptz
      AND h.at >= :from::timestamptz AND h.at < :to::timestamptz AND u.samples > 0
    GROUP BY step`;

/** Returns the field of `HistoryReadingsModel` for a reading, for `json_build_object`: the means of all steps in the unit of the API. */
function fieldSql(reading: string, isOptional: boolean): string {
  const [name, value] =
    reading === 'memory_used_mib'
      ? ['memory_used_gb', gigabytesSql('b.memory_used_mib')]
      : [reading, `floor(b.${reading} * 100 + 0.5) / 100`];
  const means = `coalesce(json_agg(${value} ORDER BY n.step), '[]')`;
  return `'${name}', ${isOptional ? `CASE WHEN count(b.${reading}) > 0 THEN ${means} END` : means}`;
}

const historySql = (steps: string) =>
  withDataVersion(`SELECT :customer::integer AS customer_id, g.gpu_id, g.last_seen, history.*,
        ${jobsSql({ withCurrent: false, limit: MAX_JOBS })} AS jobs
      FROM fleet.gpus g CROSS JOIN LATERAL (
        SELECT count(b.step) > 0 AS has_readings, json_strip_nulls(json_build_object(
            ${listOf(HALF_HOUR_READINGS, ({ reading }) => fieldSql(reading, false))},
            ${listOf(DAY_READINGS, ({ reading }) => fieldSql(reading, true))})) AS readings
        FROM generate_series(0, :stepCount::integer - 1) AS n (step) LEFT JOIN (${steps}) AS b ON b.step = n.step
      ) AS history
      WHERE ${inScopeSql('g')} AND g.gpu_id = :id::text`);

/** The readings of a GPU in steps and its jobs, by primary keys; the steps from raw samples or from the rollups of days. */
export const GPU_HISTORY = {
  samples: new TenantStatement<HistoryParameters>(historySql(STEPS_OF_SAMPLES), { isPrepared: false }),
  days: new TenantStatement<HistoryParameters>(historySql(STEPS_OF_DAYS), { isPrepared: false }),
};
