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

// Half hours of the window are numbered from 0 at its start. Half hour n is in bucket n * 48 / (all half hours), rounded down. A bucket
// may begin and end within a day, and a day has parts of several buckets.

const ALL_HALF_HOURS = ':halfHours::bigint';
/** Number of the first half hour of a day; negative if it is before the window. */
const DAY_START = `((date_part('epoch', d.day) - :fromSeconds::float8) / ${HALF_HOUR_MS / 1_000})::bigint`;
const bucketOf = (halfHour: string) => `(${halfHour}) * ${MAX_SERIES_BUCKETS} / ${ALL_HALF_HOURS}`;
/** Returns the number of the first half hour of a bucket: the inverse of `bucketOf`, rounded up. */
const startOf = (bucket: string) =>
  `((${bucket}) * ${ALL_HALF_HOURS} + ${MAX_SERIES_BUCKETS - 1}) / ${MAX_SERIES_BUCKETS}`;

const FIRST_BUCKET_OF_DAY = bucketOf(`${DAY_START} + ${SKIPPED_HALF_HOURS}`);
const LAST_BUCKET_OF_DAY = bucketOf(`${DAY_START} + ${END_HALF_HOUR} - 1`);
/** The part of each bucket on a day: a range of its half hours. */
const PARTS_OF_DAY = `SELECT k AS bucket, greatest(${SKIPPED_HALF_HOURS}, ${startOf('k')} - ${DAY_START})::integer AS skipped,
          least(${END_HALF_HOUR}, ${startOf('k + 1')} - ${DAY_START})::integer AS end_half_hour
        FROM generate_series(${FIRST_BUCKET_OF_DAY}, ${LAST_BUCKET_OF_DAY}) AS k`;

/** Returns the columns `<name>_sum` and `<name>_n` of a bucket: the sums over its parts. */
const sumsOf = (name: Measured) => {
  const sumOf = (column: string) => `sum(${differenceSql(column, 'part.skipped', 'part.end_half_hour')})`;
  return `${sumOf(`${name}_sums`)} AS ${name}_sum, ${sumOf(`${name}_counts`)} AS ${name}_n`;
};
const meanOf = (name: Measured) => twoDecimals(`sum(b.${name}_sum) / nullif(sum(b.${name}_n), 0)`);

/** `TELEMETRY` of a window with 48 buckets that are wider than a half hour. */
export const WIDE_BUCKETS = `SELECT ${meanOf('utilization')}::text AS utilization_pct, ${meanOf('temperature')}::text AS temperature_c,
      bool_or(b.xid_reported) AS xid_reported,
      string_agg(${twoDecimals('b.utilization_sum / b.utilization_n')}::text, ',' ORDER BY b.bucket)
        FILTER (WHERE b.utilization_n > 0) AS utilization_series
    FROM (
      SELECT part.bucket, ${sumsOf('utilization')}, ${sumsOf('temperature')},
        bool_or(${reportedSql('part.skipped', 'part.end_half_hour')}) AS xid_reported
      ${daysSql(`CROSS JOIN LATERAL (${PARTS_OF_DAY}) AS part`)}
      GROUP BY part.bucket
    ) AS b`;
