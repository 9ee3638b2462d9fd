import { inScope } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { withDataVersion } from '../data-version/data-version.ts';
import { DAY_READINGS } from '../../model/gpu-days/format.ts';
import { healthSql } from '../../model/health/health.sql.ts';
import { jobsSql } from '../jobs/jobs.sql.ts';

const MAX_JOBS = 1_000;

/** Readings with sums per half hour: the columns `<column>_sum` and `<column>_n` of `fleet.gpu_days`. */
const HALF_HOUR_READINGS = [
  { reading: 'utilization_pct', column: 'utilization' },
  { reading: 'memory_used_mib', column: 'memory_used' },
  { reading: 'temperature_c', column: 'temperature' },
  { reading: 'power_draw_w', column: 'power' },
] as const;
/** The readings of a step, in the order of its array. */
export const HISTORY_READINGS = [
  ...HALF_HOUR_READINGS.map(({ reading }) => reading),
  ...DAY_READINGS.map(({ reading }) => reading),
];
export type HistoryReading = (typeof HISTORY_READINGS)[number];

export interface HistoryParameters {
  id: string;
  from: Date;
  to: Date;
  fromSeconds: number;
  stepSeconds: number;
}

const stepOf = (at: string) =>
  `floor((extract(epoch FROM ${at}) - :fromSeconds::float8) / :stepSeconds::float8)::integer AS step`;

/** Raw samples: of a window of days at most, since those of one GPU are spread over the table. */
const OF_SAMPLES = `SELECT ${stepOf('s.at')}, ${HISTORY_READINGS.map((reading) => `avg(s.${reading}) AS ${reading}`).join(', ')}
    FROM fleet.gpu_samples s
    WHERE s.customer_id = :customer AND s.gpu_id = g.gpu_id AND s.at >= :from::timestamptz AND s.at < :to::timestamptz
    GROUP BY step`;

/** Sums per half hour; of the other readings, the mean of the day. */
const OF_DAYS = `SELECT ${stepOf('h.at')},
      ${HALF_HOUR_READINGS.map(({ reading, column }) => `sum(u.${column}_sum) / nullif(sum(u.${column}_n), 0) AS ${reading}`).join(', ')},
      ${DAY_READINGS.map(({ reading, column }) => `avg(d.${column}_sum / nullif(d.${column}_n, 0)) AS ${reading}`).join(', ')}
    FROM fleet.gpu_days d
    CROSS JOIN LATERAL unnest(${HALF_HOUR_READINGS.map(({ column }) => `d.${column}_sum, d.${column}_n`).join(', ')}, d.samples)
      WITH ORDINALITY AS u (${HALF_HOUR_READINGS.map(({ column }) => `${column}_sum, ${column}_n`).join(', ')}, samples, number)
    CROSS JOIN LATERAL (SELECT d.day + (u.number - 1) * interval '30 minutes' AS at) AS h
    WHERE d.customer_id = :customer AND d.gpu_id = g.gpu_id AND d.day > :from::timestamptz - interval '1 day' AND d.day < :to::timestamptz
      AND h.at >= :from::timestamptz AND h.at < :to::timestamptz AND u.samples > 0
    GROUP BY step`;

const historySql = (steps: string) =>
  withDataVersion(`SELECT :customer::integer AS customer_id, g.gpu_id, ${healthSql('g')} AS health, g.last_seen,
        (SELECT coalesce(json_agg(json_build_array(b.step, ${HISTORY_READINGS.map((reading) => `b.${reading}`).join(', ')}) ORDER BY b.step), '[]')
         FROM (${steps}) AS b) AS steps,
        ${jobsSql({ withCurrent: false, limit: MAX_JOBS })} AS jobs
      FROM fleet.gpus g WHERE ${inScope('g')} AND g.gpu_id = :id::text`);

/** The readings of a GPU in steps, and its jobs, by primary keys. */
export const GPU_HISTORY = {
  samples: new TenantStatement<HistoryParameters>(historySql(OF_SAMPLES), { isPrepared: false }),
  days: new TenantStatement<HistoryParameters>(historySql(OF_DAYS), { isPrepared: false }),
};
