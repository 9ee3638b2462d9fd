import { SEVERITIES } from '@gpu-observatory/domain-types';
import { countOfLowestRankSql, healthOfRankSql } from '../../model/health/urgency.sql.ts';
import { inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { IN_WINDOW } from '../alerts/filters/alert-selection.ts';
import { withDataVersion } from '../data-version/data-version.ts';
import {
  idleFilterSql,
  MEASURED_COLUMNS,
  sortKeySql,
  STATUS_COLUMNS,
  STATUS_JOINS,
  type StatusParameters,
} from '../gpu-status/status-columns.sql.ts';
import type { WindowParameters } from '../gpus/telemetry-window.ts';
import { jobsSql } from '../jobs/jobs.sql.ts';
import { timestampSql } from '../timestamp.sql.ts';

const MAX_JOBS_OF_GPU = 100;

/**
 * Returns a subselect of the number of alerts of each severity as JSON: those of the host (`alerts_by_hostname`), and those of its
 * GPUs with another hostname or none (`alerts_of_gpu`).
 *
 * @param hostname expression of the hostname
 */
const alertsBySeveritySql = (
  hostname: string,
) => `(SELECT json_build_object(${SEVERITIES.map((severity, rank) => `'${severity}', count(*) FILTER (WHERE c.severity = ${rank})`).join(', ')})
      FROM (
        SELECT a.severity FROM fleet.alerts a WHERE ${inScopeSql('a')} AND a.hostname = ${hostname} AND ${IN_WINDOW}
        UNION ALL
        SELECT of_gpu.severity FROM fleet.gpus g CROSS JOIN LATERAL (
          SELECT a.severity FROM fleet.alerts a
          WHERE ${inScopeSql('a')} AND a.gpu_id = g.gpu_id AND a.hostname IS DISTINCT FROM ${hostname} AND ${IN_WINDOW}
        ) AS of_gpu
        WHERE ${inScopeSql('g')} AND g.hostname = ${hostname}
      ) AS c)`;

/**
 * Sort key of a host `h` by health. Hosts with the lowest rank come first; of these, hosts with the most GPUs of that rank. The fraction
 * is below 1, so it only orders hosts of the same rank.
 */
const WORST_KEY = 'h.rank - least(h.gpus_of_lowest_rank, 9999) / 1e4::float8';

/**
 * A page of hosts, with a row for each GPU, by `gpus_by_hostname`. All GPUs of the customer are read and grouped, since most filters and
 * sorts are by values that the clock changes.
 */
export const HOSTS = new TenantStatement<StatusParameters>(
  `WITH gpus_of_customer AS MATERIALIZED (
      SELECT ${MEASURED_COLUMNS} FROM fleet.gpus g WHERE ${inScopeSql('g')} AND g.hostname <> ''
    ), hosts AS (
      SELECT m.hostname, min(m.rank) AS rank, ${countOfLowestRankSql('m.rank')} AS gpus_of_lowest_rank,
        max(m.temperature_c) AS temperature_c, avg(m.mean_pct) AS mean_pct
      FROM gpus_of_customer m GROUP BY m.hostname
      HAVING (:models::text[] IS NULL OR bool_or(m.model = ANY (:models::text[])))
    ), keyed AS (
      SELECT h.hostname, ${sortKeySql('h', WORST_KEY)} AS sort_key
      FROM hosts h
      WHERE (:healths::text[] IS NULL OR ${healthOfRankSql('h.rank')} = ANY (:healths::text[])) AND ${idleFilterSql('h')}
    ), page AS MATERIALIZED (
      SELECT k.* FROM keyed k
      WHERE (k.sort_key, k.hostname, :customer::integer) > (:afterKey::float8, :afterHostname::text, :afterCustomer::integer)
      ORDER BY k.sort_key, k.hostname LIMIT :limit::integer
    ), page_with_alerts AS MATERIALIZED (
      SELECT p.hostname, p.sort_key, ${alertsBySeveritySql('p.hostname')} AS alerts FROM page p
    ) ${withDataVersion(`SELECT :customer::integer AS customer_id, p.sort_key, p.alerts, ${STATUS_COLUMNS}
      FROM page_with_alerts p JOIN fleet.gpus g ON g.hostname = p.hostname ${STATUS_JOINS}
      WHERE ${inScopeSql('g')}`)}`,
  { isPrepared: false },
);

/**
 * A host, with a row for each GPU and its jobs. The inventory of the host belongs to the workspace of its newest record, and is joined
 * only if that workspace is in scope. Samples have no workspace, so they are joined only with the inventory (`h.entity_id`).
 */
export const HOST = new TenantStatement<WindowParameters & { hostname: string }>(
  `WITH host AS MATERIALIZED (
      SELECT p.hostname, ${alertsBySeveritySql('p.hostname')} AS alerts, h.doc, h.last_reported_at, s.cpu
      FROM (SELECT :hostname::text AS hostname) AS p
      LEFT JOIN LATERAL (
        SELECT e.entity_id, e.doc, e.last_reported_at FROM fleet.entities e
        WHERE ${inScopeSql('e')} AND e.kind = 'host' AND e.entity_id = p.hostname
      ) AS h ON true
      LEFT JOIN LATERAL (
        SELECT json_build_object('load_1m', n.cpu_load_1m, 'utilization_pct', n.cpu_utilization_pct, 'at', ${timestampSql('n.at')}) AS cpu
        FROM fleet.host_samples n
        WHERE n.customer_id = :customer AND n.hostname = h.entity_id AND n.at > now() - interval '7 days'
        ORDER BY n.at DESC LIMIT 1
      ) AS s ON true
    ) ${withDataVersion(`SELECT :customer::integer AS customer_id, p.alerts, p.doc, p.last_reported_at, p.cpu,
        ${STATUS_COLUMNS}, ${jobsSql({ withCurrent: true, limit: MAX_JOBS_OF_GPU })} AS jobs
      FROM host p JOIN fleet.gpus g ON g.hostname = p.hostname ${STATUS_JOINS}
      WHERE ${inScopeSql('g')} AND g.hostname <> ''`)}`,
  { isPrepared: false },
);
