import { healthSql, isHealthySql, unhealthyRangesSql, urgencySql } from '../../model/health/health.sql.ts';
import type { ScopedStatement } from '../access/tenant-database.ts';

/** Up to this number of unhealthy GPUs are read by the indexes on their health and sorted separately. */
const UNHEALTHY_THRESHOLD = 500;
const ORDER_BY = 'rank, hostname, gpu_id, customer_id';

/**
 * Returns common table expressions up to `listed`: the GPUs in scope, numbered as `line` in the order of urgency
 * (`urgencySql`), hostname and gpu_id.
 *
 * Most GPUs are healthy. For a limited list, unhealthy GPUs are read by the indexes on their health, and healthy ones
 * follow in the order of an index. All GPUs are read and sorted only where many are unhealthy or there is no limit.
 *
 * @param limit maximum number of GPUs; null for all
 */
export function listedSql(statement: ScopedStatement, limit: number | null): string {
  const columns = `g.customer_id, g.gpu_id, g.hostname, g.list_item, g.last_seen, ${healthSql('g')} AS health,
    ${urgencySql('g')} AS rank`;
  const listed = (gpus: string, limitSql: string) => `listed AS (
      SELECT p.customer_id, p.gpu_id, p.hostname, p.rank, p.list_item, p.last_seen, p.health, row_number() OVER (ORDER BY ${ORDER_BY}) AS line
      FROM (${gpus}) AS p ORDER BY ${ORDER_BY} ${limitSql}
    )`;
  if (limit === null) return listed(`SELECT ${columns} FROM fleet.gpus g WHERE ${statement.rows('g')}`, '');
  const limitSql = `LIMIT ${statement.value(limit)}::integer`;
  const unhealthy = unhealthyRangesSql('g').map(
    ({
      column,
      predicate,
    }) => `(SELECT ${columns} FROM fleet.gpus g WHERE ${statement.rows('g')} AND ${predicate}
      ORDER BY ${column} LIMIT ${UNHEALTHY_THRESHOLD + 1})`,
  );
  // One index range per scope.
  const healthy = statement.scopes.map(
    (scope) => `(SELECT ${columns} FROM fleet.gpus g
      WHERE (SELECT c.few FROM counted c) AND ${statement.rowsOf(scope, 'g')}
        AND ${isHealthySql('g')}
      ORDER BY g.hostname, g.gpu_id ${limitSql})`,
  );
  return `unhealthy AS MATERIALIZED (
      ${unhealthy.join(' UNION ALL ')}
    ), counted AS MATERIALIZED (SELECT count(*) <= ${UNHEALTHY_THRESHOLD} AS few FROM unhealthy
    ), ${listed(
      `SELECT u.* FROM unhealthy u WHERE (SELECT c.few FROM counted c)
       UNION ALL ${healthy.join(' UNION ALL ')}
       UNION ALL
       (SELECT ${columns} FROM fleet.gpus g WHERE (SELECT NOT c.few FROM counted c) AND ${statement.rows('g')}
        ORDER BY ${ORDER_BY} ${limitSql})`,
      limitSql,
    )}`;
}
