import { DAY_MS } from '@gpu-observatory/domain-types';
import type { Size } from './size.ts';

/** Lifetime of each container and process of a GPU. */
const LIFE_DAYS = 10;

/**
 * Returns statements that insert the source of fleet metrics, up to `$1`: hosts, containers and processes of the GPUs, and
 * daily sums that cannot be computed from the rows. `metrics rebuild` computes the rest.
 */
export function insertMetricsSql({ days }: Size): string[] {
  const lives = Math.ceil(days / LIFE_DAYS);
  const life = (kind: string, id: string) => `
    INSERT INTO fleet.entities (customer_id, kind, entity_id, workspace_id, api_key_id, last_reported_at, owned_since, first_seen, last_seen, doc)
    SELECT g.customer_id, '${kind}', ${id}, g.workspace_id, g.api_key_id, born.at, born.at, born.at,
      least(born.at + interval '${LIFE_DAYS} days', $1::timestamptz), '{}'
    FROM fleet.gpus g, generate_series(1, ${lives}) AS n,
      LATERAL (SELECT $1::timestamptz - n * interval '${LIFE_DAYS} days' AS at) AS born`;
  return [
    `INSERT INTO fleet.entities (customer_id, kind, entity_id, workspace_id, owned_since, first_seen, last_seen, doc)
     SELECT g.customer_id, 'host', g.hostname, min(g.workspace_id), min(g.first_seen), min(g.first_seen), $1::timestamptz, '{}'
     FROM fleet.gpus g GROUP BY g.customer_id, g.hostname`,
    life('container', "'c-' || n || g.gpu_id"),
    life('gpu_container', "'c-' || n || g.gpu_id"),
    life('process', "g.hostname || '|' || n || '|' || g.gpu_id"),
    `INSERT INTO fleet.metric_days (customer_id, scope_kind, api_key_id, workspace_id, day, cpu_load_sum, cpu_load_n,
       cpu_utilization_sum, cpu_utilization_n, fork_rate_sum, fork_rate_n, exit_rate_sum, exit_rate_n, thermal_slope_sum,
       thermal_slope_n, health_score_ms, health_ms, ecc_errors, throttle_events)
     SELECT g.customer_id, scope.kind, 0, scope.workspace_id, date_trunc('day', $1::timestamptz, 'UTC') - d * interval '1 day',
       count(*) * 12000 * 1440, count(*) * 1440, count(*) * 370000 * 1440, count(*) * 1440, count(*) * 2000 * 1440,
       count(*) * 1440, count(*) * 2000 * 1440, count(*) * 1440, count(*) * 144 * 30, count(*) * 144,
       count(*) * ${DAY_MS}::float8 * 97, count(*) * ${DAY_MS}, count(*) / 50, count(*) / 20
     FROM fleet.gpus g, generate_series(0, ${days - 1}) AS d,
       LATERAL (VALUES (0, 0), (1, g.workspace_id)) AS scope (kind, workspace_id)
     GROUP BY g.customer_id, scope.kind, scope.workspace_id, d`,
  ];
}
