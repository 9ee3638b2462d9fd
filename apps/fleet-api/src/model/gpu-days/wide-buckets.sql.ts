import { HALF_HOUR_MS, MAX_SERIES_BUCKETS } from './format.ts';
import {
  daysSql,
  differenceSql,
  END_HALF_HOUR,
  type Measured,
  reportedSql,
  SKIPPED_HALF_HOURS,
  twoDecimals,
} from './half-hour-range.sql.ts';

/** Half hours of the window. They are numbered from its start, and number n is in bucket n * buckets / all, rounded down. */
const ALL = ':halfHours::bigint';
/** Number of the first half hour of a day; negative if it is before the window. */
const DAY_START = `((date_part('epoch', d.day) - :fromSeconds::float8) / ${HALF_HOUR_MS / 1_000})::bigint`;
const bucketOf = (halfHour: string) => `(${halfHour}) * ${MAX_SERIES_BUCKETS} / ${ALL}`;
/** Returns the number of the first half hour of a bucket. */
const startOf = (bucket: string) =>
  `((${bucket}) * ${ALL} + ${MAX_SERIES_BUCKETS - 1}) / ${MAX_SERIES_BUCKETS}`;

/** The part of each bucket on a day: a range of its half hours. */
const PARTS_OF_DAY = `SELECT k AS bucket, greatest(${SKIPPED_HALF_HOURS}, ${startOf('k')} - ${DAY_START})::integer AS skipped,
          least(${END_HALF_HOUR}, ${startOf('k + 1')} - ${DAY_START})::integer AS end_half_hour
        FROM generate_series(${bucketOf(`${DAY_START} + ${SKIPPED_HALF_HOURS}`)}, ${bucketOf(`${DAY_START} + ${END_HALF_HOUR} - 1`)}) AS k`;

const sumsOf = (name: Measured) =>
  Object.entries({ sum: 'sums', n: 'counts' }).map(
    ([alias, column]) =>
      `sum(${differenceSql(`${name}_${column}`, 'part.skipped', 'part.end_half_hour')}) AS ${name}_${alias}`,
  );
const meanOf = (name: Measured) => twoDecimals(`sum(b.${name}_sum) / nullif(sum(b.${name}_n), 0)`);

/** Means and series of a window with wider buckets: each bucket adds up its parts of the days. */
export const WIDE_BUCKETS = `SELECT ${meanOf('utilization')}::text AS utilization_pct, ${meanOf('temperature')}::text AS temperature_c,
      bool_or(b.xid_reported) AS xid_reported,
      string_agg(${twoDecimals('b.utilization_sum / b.utilization_n')}::text, ',' ORDER BY b.bucket)
        FILTER (WHERE b.utilization_n > 0) AS utilization_series
    FROM (
      SELECT part.bucket, ${[...sumsOf('utilization'), ...sumsOf('temperature')].join(', ')},
        bool_or(${reportedSql('part.skipped', 'part.end_half_hour')}) AS xid_reported
      ${daysSql(`CROSS JOIN LATERAL (${PARTS_OF_DAY}) AS part`)}
      GROUP BY part.bucket
    ) AS b`;
