import { inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { withDataVersion } from '../data-version/data-version.ts';
import type { XidGrouping } from './xid-incidents.dto.ts';

/** The incidents of a window. A filter is null for all incidents. */
export interface FilterParameters {
  from: Date;
  /** Exclusive. */
  to: Date;
  codes: number[] | null;
  hostname: string | null;
  gpuId: string | null;
  alertId: string | null;
}

export interface PageParameters extends FilterParameters {
  /** Sort key of the incident that the page begins after: this field and the next four. */
  afterAt: Date;
  afterCustomer: number;
  afterGpu: string;
  afterCode: number;
  afterDigest: string;
  limit: number;
}

export interface GroupParameters extends FilterParameters {
  groupBy: XidGrouping;
  /** Null for all groups. */
  limit: number | null;
}

const ORDER_BY = 'at DESC, gpu_id DESC, code DESC, digest DESC';
/** Columns of the first event of an incident. */
const EVENT = 'e.at, e.gpu_id, e.code, e.digest, e.variant, e.message, e.alert_id';
const HAS_CODE = '(:codes::integer[] IS NULL OR e.code = ANY (:codes::integer[]))';
/** Predicate of the events after the start of the page. Only the time limits the range of an index. */
const IS_AFTER = `e.at >= :from::timestamptz AND (e.at, :customer::integer, e.gpu_id, e.code, e.digest)
        < (:afterAt::timestamptz, :afterCustomer::integer, :afterGpu::text, :afterCode::integer, :afterDigest::uuid)`;
const FIRST_ROWS = `ORDER BY ${ORDER_BY} LIMIT :limit::integer`;

const OPTIONAL_HOST = '(:hostname::text IS NULL OR g.hostname = :hostname::text)';
const OPTIONAL_GPU = '(:gpuId::text IS NULL OR g.gpu_id = :gpuId::text)';
/** Predicates of the GPUs in scope: all, those of a host by `gpus_by_hostname`, and one by its primary key. */
const GPUS = {
  scope: inScopeSql('g'),
  host: `${inScopeSql('g')} AND g.hostname = :hostname::text`,
  gpu: `${inScopeSql('g')} AND g.gpu_id = :gpuId::text AND ${OPTIONAL_HOST}`,
};

/** Returns a query of the first events of incidents on some GPUs, for each GPU by primary key. @param rows a predicate of `GPUS` */
const eventsOfGpusSql = (rows: string) => `SELECT found.*, g.hostname, g.workspace_id
    FROM fleet.gpus g CROSS JOIN LATERAL (
      SELECT ${EVENT} FROM fleet.gpu_xid_events e WHERE e.customer_id = :customer AND e.opens_incident AND e.gpu_id = g.gpu_id AND ${HAS_CODE} AND ${IS_AFTER} ${FIRST_ROWS}
    ) AS found
    WHERE ${rows} ${FIRST_ROWS}`;

/** The first events of incidents of a customer, by `gpu_xid_events_by_time`. */
const EVENTS_OF_CUSTOMER = `SELECT ${EVENT}, g.hostname, g.workspace_id
    FROM fleet.gpu_xid_events e JOIN fleet.gpus g ON g.customer_id = :customer AND g.gpu_id = e.gpu_id
    WHERE e.customer_id = :customer AND e.opens_incident AND ${IS_AFTER} ${FIRST_ROWS}`;

/** The first events of incidents of a customer with some codes, for each code by `gpu_xid_incidents_by_code`. */
const EVENTS_OF_CODES = `SELECT found.*, g.hostname, g.workspace_id
    FROM (
      SELECT of_code.* FROM unnest(:codes::integer[]) AS wanted (code) CROSS JOIN LATERAL (
        SELECT ${EVENT} FROM fleet.gpu_xid_events e WHERE e.customer_id = :customer AND e.opens_incident AND e.code = wanted.code AND ${IS_AFTER} ${FIRST_ROWS}
      ) AS of_code
    ) AS found JOIN fleet.gpus g ON g.customer_id = :customer AND g.gpu_id = found.gpu_id
    ${FIRST_ROWS}`;

/** The first event of the incident of an alert, on the GPU of the alert by primary key. */
const EVENTS_OF_ALERT = `SELECT found.*, g.hostname, g.workspace_id
    FROM fleet.alerts a JOIN fleet.gpus g ON ${inScopeSql('g')} AND g.gpu_id = a.gpu_id
    CROSS JOIN LATERAL (
      SELECT ${EVENT} FROM fleet.gpu_xid_events e
      WHERE e.customer_id = :customer AND e.opens_incident AND e.gpu_id = g.gpu_id AND e.alert_id = a.id AND ${HAS_CODE} AND ${IS_AFTER}
      ${FIRST_ROWS}
    ) AS found
    WHERE ${inScopeSql('a')} AND a.id = :alertId::uuid AND ${OPTIONAL_HOST} AND ${OPTIONAL_GPU}`;

/** Number and last time of the later XIDs of an incident `o`: until the next incident of the same code and variant, and within an hour. */
const LATER = `SELECT count(*)::integer AS n, max(m.at) AS last_at FROM fleet.gpu_xid_events m
    WHERE m.customer_id = :customer AND m.gpu_id = o.gpu_id AND m.code = o.code AND m.variant = o.variant
      AND NOT m.opens_incident AND m.reach_ms = 0 AND m.at >= o.at AND m.at < o.at + interval '61 minutes'
      AND NOT EXISTS (
        SELECT FROM fleet.gpu_xid_events n WHERE n.customer_id = :customer AND n.gpu_id = o.gpu_id AND n.code = o.code
          AND n.variant = o.variant AND n.opens_incident AND n.at > o.at AND n.at <= m.at
      )`;

/** Returns the predicate of the jobs during the incident `o`: first seen before it, and last seen at most 15 minutes before it or later. */
const isRunningSql = (table: string) => `${table}.customer_id = :customer AND ${table}.gpu_id = o.gpu_id
        AND ${table}.first_seen <= o.at AND ${table}.last_seen >= o.at - interval '15 minutes'`;
const WORKLOADS = `SELECT coalesce(json_agg(json_build_object('name', r.name, 'description', r.description,
        'usage_category', r.usage_category) ORDER BY r.first_seen DESC, r.name), '[]') AS workloads
    FROM (
      SELECT p.name, p.description, p.usage_category, p.first_seen FROM fleet.gpu_processes p WHERE ${isRunningSql('p')}
      UNION ALL
      SELECT w.name, w.description, w.usage_category, w.first_seen FROM fleet.gpu_workloads w WHERE ${isRunningSql('w')}
      ORDER BY first_seen DESC, name LIMIT 10
    ) AS r`;

/**
 * Returns the text of a statement of incidents.
 *
 * @param opened query of the first events of the page, so that later XIDs and workloads are read for this page only
 */
const incidentsSql = (opened: string) =>
  withDataVersion(`SELECT :customer::integer AS customer_id, o.at, o.gpu_id, o.code, o.digest, o.message, o.alert_id, o.hostname,
        o.workspace_id, 1 + later.n AS count, greatest(o.at, later.last_at) AS last_at, ran.workloads
      FROM (${opened}) AS o CROSS JOIN LATERAL (${LATER}) AS later CROSS JOIN LATERAL (${WORKLOADS}) AS ran
      ORDER BY ${ORDER_BY.replace(/\w+ DESC/g, (column) => `o.${column}`)}`);

const pageStatement = (opened: string) =>
  new TenantStatement<PageParameters>(incidentsSql(opened), { isPrepared: false });

/** Pages of incidents, newest first. `all` is for a caller that may read all GPUs of a customer. */
export const XID_INCIDENTS = {
  all: { time: pageStatement(EVENTS_OF_CUSTOMER), code: pageStatement(EVENTS_OF_CODES) },
  scope: pageStatement(eventsOfGpusSql(GPUS.scope)),
  host: pageStatement(eventsOfGpusSql(GPUS.host)),
  gpu: pageStatement(eventsOfGpusSql(GPUS.gpu)),
  alert: pageStatement(EVENTS_OF_ALERT),
};

const CODE_OR_DAY = `CASE :groupBy::text WHEN 'code' THEN e.code::text
          WHEN 'day' THEN to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD') END`;
/** Columns that count the incidents of a GPU by code or day. For groups by host, the key is null. */
const COUNTS = `${CODE_OR_DAY} AS key, count(*) AS n, min(e.at) AS first_at, max(e.at) AS last_at`;
const IN_WINDOW = `e.opens_incident AND ${HAS_CODE} AND e.at >= :from::timestamptz AND e.at < :to::timestamptz`;

/** Returns a statement of the groups. @param counted query of the `COUNTS` of each GPU, with its hostname */
const groupsStatement = (counted: string) =>
  new TenantStatement<GroupParameters>(
    withDataVersion(`SELECT :customer::integer AS customer_id, coalesce(c.key, c.hostname) AS key, sum(c.n)::integer AS incidents,
        count(DISTINCT c.gpu_id)::integer AS gpus, count(DISTINCT c.hostname)::integer AS hosts,
        min(c.first_at) AS first_at, max(c.last_at) AS last_at
      FROM (${counted}) AS c GROUP BY coalesce(c.key, c.hostname) ORDER BY incidents DESC, key LIMIT :limit::integer`),
    { isPrepared: false },
  );

/**
 * Counts of incidents by code, host or day: `all` for all GPUs of a customer by `gpu_xid_events_by_time` alone, `scope` for the GPUs
 * in scope that the filters select, by primary key.
 */
export const XID_INCIDENT_GROUPS = {
  all: groupsStatement(`SELECT of_gpu.*, g.hostname
        FROM (
          SELECT e.gpu_id, ${COUNTS} FROM fleet.gpu_xid_events e
          WHERE e.customer_id = :customer AND ${IN_WINDOW} GROUP BY e.gpu_id, ${CODE_OR_DAY}
        ) AS of_gpu JOIN fleet.gpus g ON g.customer_id = :customer AND g.gpu_id = of_gpu.gpu_id`),
  scope: groupsStatement(`SELECT g.gpu_id, of_gpu.*, g.hostname
        FROM fleet.gpus g CROSS JOIN LATERAL (
          SELECT ${COUNTS} FROM fleet.gpu_xid_events e
          WHERE e.customer_id = :customer AND e.gpu_id = g.gpu_id AND ${IN_WINDOW}
            AND (:alertId::uuid IS NULL OR e.alert_id = :alertId::uuid)
          GROUP BY ${CODE_OR_DAY}
        ) AS of_gpu
        WHERE ${inScopeSql('g')} AND ${OPTIONAL_HOST} AND ${OPTIONAL_GPU}`),
};
