import { DAY_MS } from '@gpu-observatory/domain-types';
import { dayStart } from '../metrics/time-grains.ts';
import type { TimeWindow } from '../time-window.ts';
import { HALF_HOUR_MS, HALF_HOURS_PER_DAY } from './format.ts';

/** Columns with mean utilization and power draw of a half hour `u` of `fleet.gpu_days`; null without readings. */
export const MEANS_OF_HALF_HOUR = `u.utilization_sum / nullif(u.utilization_n, 0) AS utilization_mean,
        u.power_sum / nullif(u.power_n, 0) AS power_mean`;

/** Columns of `fleet.gpu_day_sums` from the half hours `h`, which have `samples`, `number` and `MEANS_OF_HALF_HOUR`. */
export const USAGE_OF_HALF_HOURS = `(min(h.number) FILTER (WHERE h.samples > 0))::smallint AS first_half_hour,
      (count(*) FILTER (WHERE h.samples > 0))::smallint AS sampled_half_hours,
      count(h.utilization_mean)::smallint AS utilization_half_hours,
      coalesce(sum(h.utilization_mean / 100), 0) AS busy_half_hours,
      count(h.power_mean)::smallint AS power_half_hours,
      coalesce(sum(h.power_mean), 0) AS watt_half_hours`;

/** Parameters of `USAGE`. Elements of the lists with the same index belong to one day that is partly in the window. */
export interface UsageParameters {
  /** Range of the days that are completely in the window; `wholeTo` is exclusive. */
  wholeFrom: Date;
  wholeTo: Date;
  partDays: Date[];
  /** The first and the last half hour of the day in the window, from 1. */
  partFirsts: number[];
  partLasts: number[];
}

/** Returns the parameters for a window. @param window aligned to half hours */
export function usageParameters({ fromMs, toMs }: TimeWindow): UsageParameters {
  const [firstDayMs, lastDayMs] = [dayStart(fromMs), dayStart(toMs)];
  const isPart = ({ first, last }: { first: number; last: number }) =>
    first <= last && last - first + 1 < HALF_HOURS_PER_DAY;
  const parts = [...new Set([firstDayMs, lastDayMs])]
    .map((dayMs) => ({
      dayMs,
      first: Math.max(0, (fromMs - dayMs) / HALF_HOUR_MS) + 1,
      last: Math.min(HALF_HOURS_PER_DAY, (toMs - dayMs) / HALF_HOUR_MS),
    }))
    .filter(isPart);
  return {
    wholeFrom: new Date(fromMs === firstDayMs ? firstDayMs : firstDayMs + DAY_MS),
    wholeTo: new Date(lastDayMs),
    partDays: parts.map(({ dayMs }) => new Date(dayMs)),
    partFirsts: parts.map(({ first }) => first),
    partLasts: parts.map(({ last }) => last),
  };
}

/** Returns the half hours of an array column in the window. The spaces are needed: a name directly after a colon is a parameter. */
const inPart = (column: string) => `d.${column}[part.first : part.last]`;

/**
 * A row with the usage of the GPU `g` of `:customer` in a window: `first_at`, the start of its first half hour with samples, and the
 * sums of `sampled_half_hours`, `utilization_half_hours`, `busy_half_hours`, `power_half_hours` and `watt_half_hours`. Whole days are
 * read from their sums, the other days from their half hours.
 */
export const USAGE = `SELECT min(day.day + (day.first_half_hour - 1) * interval '30 minutes') AS first_at,
      ${['sampled', 'utilization', 'busy', 'power', 'watt']
        .map((name) => `coalesce(sum(day.${name}_half_hours), 0) AS ${name}_half_hours`)
        .join(', ')}
    FROM (
      SELECT d.day, d.first_half_hour, d.sampled_half_hours, d.utilization_half_hours, d.busy_half_hours, d.power_half_hours,
        d.watt_half_hours
      FROM fleet.gpu_day_sums d
      WHERE d.customer_id = :customer AND d.gpu_id = g.gpu_id AND d.day >= :wholeFrom::timestamptz AND d.day < :wholeTo::timestamptz
      UNION ALL
      SELECT d.day, usage.*
      FROM unnest(:partDays::timestamptz[], :partFirsts::integer[], :partLasts::integer[]) AS part (day, first, last)
      JOIN fleet.gpu_days d ON d.customer_id = :customer AND d.gpu_id = g.gpu_id AND d.day = part.day
      CROSS JOIN LATERAL (
        SELECT ${USAGE_OF_HALF_HOURS} FROM (
          SELECT part.first - 1 + u.number AS number, u.samples, ${MEANS_OF_HALF_HOUR}
          FROM unnest(${['samples', 'utilization_sum', 'utilization_n', 'power_sum', 'power_n'].map(inPart).join(', ')})
            WITH ORDINALITY AS u (samples, utilization_sum, utilization_n, power_sum, power_n, number)
        ) AS h
      ) AS usage
    ) AS day`;
