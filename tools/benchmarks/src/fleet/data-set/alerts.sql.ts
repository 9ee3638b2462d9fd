import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import type { Size } from './size.ts';

/** Alerts per import, which have the same `seq`. */
const BATCH = 1_000;
/** Alerts per statement. */
export const CHUNK = 500_000;
const TIMELINE_EVERY = 100;
const HOSTS = 2_000;

const quoted = (texts: readonly string[]) => `ARRAY[${texts.map((text) => `'${text}'`).join(', ')}]`;
/** Process ids repeat after this many alerts. */
const PIDS = 400_000;
/** Deterministic pseudo-random number in [0, 1) of row `i`, uniform, different for each salt. */
const uniform = (salt: number) => `((hashint8extended(i, ${salt}) & 2147483647) / 2147483648.0::float8)`;

/** SQL of a title and a description with the length of a real detector's. */
const titleSql = (pattern: string) => `'Unusual activity of ' || type || ', pattern ' || ${pattern}`;
const descriptionSql = (pid: string, seconds: string) => `'Process ' || ${pid}
  || ' that no workload of this node accounts for has been seen by the detector of ' || type || '; it began '
  || ${seconds} || ' s before the report and did not end when the job that owns the device did.'`;
const HOST_WORDS = `'{node,cluster,example}'::text[]`;
const MIN_WORD_LENGTH = 3;

/**
 * The importer's key of a word (fleet-api, src/model/alerts/alert-words.ts), and the words of all but the numbers. The function
 * is STABLE, as `convert_to` is: only then PostgreSQL inlines it, which takes a tenth of the time.
 */
export const WORD_KEYS_SQL = [
  `CREATE FUNCTION pg_temp.word_key(customer_id integer, word text) RETURNS integer LANGUAGE sql STABLE AS
   $$ SELECT ((crc32(convert_to(customer_id || ' ' || word, 'UTF8')) + 2147483648) % 4294967296 - 2147483648)::integer $$`,
  `CREATE TEMP TABLE template_words AS
   SELECT c.customer_id, type, w.words, ARRAY (SELECT pg_temp.word_key(c.customer_id, w) FROM unnest(w.words) AS w) AS keys,
     ARRAY (SELECT pg_temp.word_key(c.customer_id, w) FROM unnest(${HOST_WORDS}) AS w) AS host_keys
   FROM generate_series(1, 3) AS c (customer_id), unnest(${quoted(ALERT_TYPES)}) AS type
   CROSS JOIN LATERAL (SELECT array_agg(DISTINCT m[1]) AS words
     FROM regexp_matches(lower(${titleSql("''")} || ' ' || ${descriptionSql("''", "''")}), '[a-z0-9]{${MIN_WORD_LENGTH},}', 'g') AS m) AS w`,
];

/** Inserts the words of all alerts: those of the templates, and the numbers that some alert of the month has. */
export const WORDS_SQL = `
  WITH numbers AS (
    SELECT DISTINCT a.customer_id, date_trunc('month', a.created_at, 'UTC') AS month, number AS word
    FROM fleet.alerts a, unnest(ARRAY[
      split_part(a.description, ' ', 2), split_part(split_part(a.description, ' began ', 2), ' ', 1), substr(a.hostname, 6, 4)
    ]) AS number
    WHERE length(number) >= ${MIN_WORD_LENGTH}
  )
  INSERT INTO fleet.alert_words (customer_id, month, word, key, trigrams)
  SELECT customer_id, month, word, pg_temp.word_key(customer_id, word),
    ARRAY (SELECT DISTINCT pg_temp.word_key(customer_id, substr(word, n, 3)) FROM generate_series(1, length(word) - 2) AS n)
  FROM (
    TABLE numbers
    UNION
    SELECT t.customer_id, m.month, word
    FROM template_words t, unnest(t.words || ${HOST_WORDS}) AS word, (SELECT DISTINCT month FROM numbers) AS m
  ) AS found`;

/** Draws alerts `$1` to `$2` of `$3`: id, customer and time, distributed evenly over the days before `$4`, and host. Customer 1 has 94 %. */
const drawnSql = ({ days }: Size) => `
  SELECT i, md5(i::text)::uuid AS id,
    CASE WHEN ${uniform(1)} < 0.94 THEN 1 WHEN ${uniform(1)} < 0.99 THEN 2 ELSE 3 END AS customer_id,
    date_trunc('milliseconds', $4::timestamptz - ($3::bigint - i + ${uniform(2)}) * (interval '${days} days' / $3::bigint)) AS created_at,
    CASE WHEN ${uniform(10)} < 0.96 THEN 'node-' || to_char(floor(${HOSTS} * ${uniform(10)}), 'FM0000') || '.cluster.example' END AS hostname
  FROM generate_series($1::bigint, $2::bigint) AS i`;

/**
 * Inserts alerts `$1` to `$2` of `$3`. The sizes of workspaces, keys and severities are skewed, as in production, and texts have
 * the length of a real detector's. `doc` is the document that the importer writes. Rows are stored in the order of time, as by an
 * importer: otherwise each row of a page is in another block.
 */
export function insertAlertsSql(size: Size): string {
  return `
    WITH drawn AS (
      SELECT *,
        CASE WHEN ${uniform(3)} < 0.05 THEN NULL ELSE 1 + floor(20 * ${uniform(4)} ^ 3)::integer END AS workspace,
        CASE WHEN ${uniform(5)} < 0.4 THEN NULL ELSE 1 + floor(6 * ${uniform(6)})::integer END AS key,
        width_bucket(${uniform(7)}, ARRAY[0.02, 0.12, 0.4, 0.75])::smallint AS severity,
        (CASE WHEN ${uniform(8)} < 0.8 THEN 0 ELSE 1 END)::smallint AS state,
        (${quoted(ALERT_TYPES)})[1 + floor(${ALERT_TYPES.length} * ${uniform(9)})::integer] AS type,
        CASE WHEN ${uniform(11)} < 0.6 THEN 'GPU-' || md5('gpu ' || floor(${size.gpus} * ${uniform(12)})) END AS gpu_id
      FROM (${drawnSql(size)}) AS identified
    ), placed AS MATERIALIZED (
      SELECT i, id, customer_id, created_at, customer_id * 100 + workspace AS workspace_id,
        customer_id * 10000 + workspace * 100 + key AS api_key_id, severity, state, type, hostname, gpu_id,
        ${titleSql('i % 97')} AS title, ${descriptionSql(`i * 7919 % ${PIDS}`, 'i % 3600')} AS description,
        ARRAY[(i * 7919 % ${PIDS})::text, (i % 3600)::text, substr(hostname, 6, 4)] AS numbers
      FROM drawn
    )
    INSERT INTO fleet.alerts (customer_id, id, created_at, workspace_id, api_key_id, severity, state, type, hostname, title,
      description, gpu_id, words, seq, state_seq, doc)
    SELECT customer_id, id, created_at, workspace_id, api_key_id, severity, state, type, hostname, title, description, gpu_id,
      t.keys || CASE WHEN hostname IS NULL THEN '{}'::integer[] ELSE t.host_keys END
        || ARRAY (SELECT pg_temp.word_key(customer_id, n) FROM unnest(numbers) AS n WHERE length(n) >= ${MIN_WORD_LENGTH}),
      1 + i / ${BATCH}, 1 + i / ${BATCH},
      '{"id":"' || id || '","title":"' || title || '","description":"' || description || '","type":"' || type
        || '","severity":"' || (${quoted(SEVERITIES)})[severity + 1] || '","state":"' || (${quoted(ALERT_STATES)})[state + 1]
        || '","created_at":"' || to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","hostname":'
        || coalesce('"' || hostname || '"', 'null') || ',"gpu_model":"NVIDIA H100 80GB HBM3","gpu_serial":null,"workspace_id":'
        || coalesce(workspace_id::text, 'null') || ',"api_key_id":' || coalesce(api_key_id::text, 'null') || '}'
    FROM placed JOIN template_words t USING (customer_id, type)
    ORDER BY i`;
}

/** Inserts the details of the same alerts, and five events for every hundredth. */
export function insertAlertDetailsSql(size: Size): string {
  return `
    WITH drawn AS MATERIALIZED (${drawnSql(size)}), detailed AS (
      INSERT INTO fleet.alert_details (customer_id, alert_id, created_at, session_id, host_id, resource_details)
      SELECT customer_id, id, created_at, NULL, NULL,
        '{"process_details":null,"memory_details":null,"workload_details":null,"gpu_details":null,"node_details":{"node_id":"'
          || coalesce(hostname, '') || '","uptime":"12 days","cpu_load":"0.41","number_of_cpus_attached":"128",'
          || '"cpu_utilization_average":"37"},"container_details":null}'
      FROM drawn
    )
    INSERT INTO fleet.alert_timeline_events (customer_id, alert_id, ts, digest, doc)
    SELECT customer_id, id, created_at, md5(id::text || event)::uuid,
      '{"ts":"' || to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","pid":4242,"tid":' || event
        || ',"event_type":"exec","event_info":"a child was started","comm":"python3"}'
    FROM drawn, generate_series(1, 5) AS event WHERE i % ${TIMELINE_EVERY} = 0`;
}

/** The data version of each customer, and the workspaces of API keys. */
export const DATA_VERSIONS_SQL = [
  `INSERT INTO fleet.data_versions (customer_id, seq, imported_at, alerts_seq, alerts_at, telemetry_seq, telemetry_at)
   SELECT a.customer_id, max(a.seq), now(), max(a.seq), now(), max(a.seq), now() FROM fleet.alerts a GROUP BY a.customer_id`,
  `INSERT INTO fleet.api_key_workspaces (customer_id, api_key_id, workspace_id)
   SELECT DISTINCT a.customer_id, a.api_key_id, a.workspace_id FROM fleet.alerts a WHERE a.api_key_id IS NOT NULL`,
];

/** Fills the alert counts: hours from the rows (days for API keys), then days and months, then totals over the types, and of the types. */
export const COUNTS_SQL = [
  countsOfRows({ kind: 0, id: '0', grain: 'hour' }),
  countsOfRows({ kind: 1, id: 'coalesce(a.workspace_id, 0)', grain: 'hour' }),
  countsOfRows({ kind: 2, id: 'a.api_key_id', grain: 'day', where: 'a.api_key_id IS NOT NULL' }),
  coarserCounts({ from: 2, to: 1, unit: 'day' }),
  coarserCounts({ from: 1, to: 0, unit: 'month' }),
  `INSERT INTO fleet.alert_counts (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
   SELECT c.customer_id, (ARRAY[3, 4, 6])[c.scope_kind + 1], c.scope_id, c.grain, c.bucket, c.severity, c.state, '', sum(c.n)
   FROM fleet.alert_counts c WHERE c.scope_kind IN (0, 1, 2) GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  `INSERT INTO fleet.alert_counts (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
   SELECT c.customer_id, (ARRAY[5, 7])[c.scope_kind + 1], c.scope_id, c.grain, c.bucket, -1, -1, c.type, sum(c.n)
   FROM fleet.alert_counts c WHERE c.scope_kind IN (0, 1) GROUP BY 1, 2, 3, 4, 5, c.type`,
];

const QUARTER_HOUR_SQL = "date_bin('15 minutes', a.created_at, '2000-01-01Z')";

/** Fills the totals over the types, and of the types, per quarter of an hour. No other counts are computed from them. */
export const QUARTER_HOUR_COUNTS_SQL = `
  INSERT INTO fleet.alert_counts (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
  SELECT a.customer_id, 3, 0, 3, ${QUARTER_HOUR_SQL}, a.severity, a.state, '', count(*) FROM fleet.alerts a GROUP BY 1, 5, 6, 7
  UNION ALL
  SELECT a.customer_id, 5, 0, 3, ${QUARTER_HOUR_SQL}, -1, -1, a.type, count(*) FROM fleet.alerts a GROUP BY 1, 5, 8`;

interface CountedRows {
  kind: number;
  id: string;
  grain: 'hour' | 'day';
  where?: string;
}

function countsOfRows({ kind, id, grain, where = 'true' }: CountedRows): string {
  return `
    INSERT INTO fleet.alert_counts (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
    SELECT a.customer_id, ${kind}, ${id}, ${grain === 'hour' ? 2 : 1}, date_trunc('${grain}', a.created_at, 'UTC'), a.severity,
      a.state, a.type, count(*)
    FROM fleet.alerts a WHERE ${where} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`;
}

function coarserCounts({ from, to, unit }: { from: number; to: number; unit: string }): string {
  return `
    INSERT INTO fleet.alert_counts (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
    SELECT c.customer_id, c.scope_kind, c.scope_id, ${to}, date_trunc('${unit}', c.bucket, 'UTC'), c.severity, c.state, c.type, sum(c.n)
    FROM fleet.alert_counts c WHERE c.grain = ${from} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`;
}
