import {
  ALERT_COUNT_SCOPES,
  ANY_RANK,
  ANY_TYPE,
  NO_WORKSPACE,
} from '../../model/alerts/alert-count-scope.ts';
import { GRAIN } from '../../model/metrics/time-grains.ts';

const KEY = 'scope_kind, scope_id, grain, bucket, severity, state, type, workspace_id';

/** Expressions of `scope_id` and `workspace_id`, by the owner of a count. */
const IDS = { customer: '0, 0', workspace: 'h.workspace_id, 0', apiKey: 'h.api_key_id, h.workspace_id' };
/** Expressions of severity, state and type, by the columns that are counted. */
const VALUES = {
  all: 'h.severity, h.state, h.type',
  severityAndState: `h.severity, h.state, '${ANY_TYPE}'`,
  type: `${ANY_RANK}, ${ANY_RANK}, h.type`,
};
/** Rows of VALUES, one for each count that includes the alerts of an hour `h`: kind, ids, whether hours are counted, and values. */
const SCOPES = ALERT_COUNT_SCOPES.map(
  ({ kind, owner, groupedBy, hasHours }) => `(${kind}, ${IDS[owner]}, ${hasHours}, ${VALUES[groupedBy]})`,
);

/**
 * Corrects the counts of the alerts of the customer `$1`, and returns a row for each wrong count. A stored count without alerts becomes
 * zero. Alerts without an API key have no count by key, because its `scope_id` would be null.
 */
export const ALERT_COUNTS_SQL = `
  WITH hours AS MATERIALIZED (
    SELECT date_trunc('hour', a.created_at, 'UTC') AS hour, coalesce(a.workspace_id, ${NO_WORKSPACE}) AS workspace_id, a.api_key_id,
      a.severity, a.state, a.type, count(*) AS n
    FROM fleet.alerts a WHERE a.customer_id = $1 GROUP BY 1, 2, 3, 4, 5, 6
  ), counted AS (
    SELECT s.scope_kind, s.scope_id, g.grain, date_trunc(g.unit, h.hour, 'UTC')::timestamptz(3) AS bucket, s.severity, s.state, s.type, s.workspace_id, h.n
    FROM hours h
    CROSS JOIN LATERAL (VALUES ${SCOPES.join(', ')}) AS s (scope_kind, scope_id, workspace_id, has_hours, severity, state, type)
    JOIN (VALUES (${GRAIN.month}, 'month'), (${GRAIN.day}, 'day'), (${GRAIN.hour}, 'hour')) AS g (grain, unit)
      ON g.grain <> ${GRAIN.hour} OR s.has_hours
    WHERE s.scope_id IS NOT NULL
    UNION ALL
    SELECT c.scope_kind, c.scope_id, c.grain, c.bucket, c.severity, c.state, c.type, c.workspace_id, 0
    FROM fleet.alert_counts c WHERE c.customer_id = $1 AND c.n <> 0
  )
  INSERT INTO fleet.alert_counts AS stored (customer_id, ${KEY}, n)
  SELECT $1, ${KEY}, sum(n) FROM counted GROUP BY ${KEY}
  ON CONFLICT (customer_id, ${KEY}) DO UPDATE SET n = excluded.n WHERE stored.n <> excluded.n
  RETURNING stored.n`;
