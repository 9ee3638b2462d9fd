import { GPU_HEALTHS } from '@gpu-observatory/domain-types';
import type { ScopedStatement } from '../access/tenant-database.ts';
import type { GpuScope } from './gpus.queries.ts';
import { healthSql, isHealthySql, unhealthyRangesSql } from '../../model/health/health.sql.ts';

/** Up to so many GPUs that are not well are put in order by themselves. */
const FEW = 500;
const ORDER = ['rank', 'hostname', 'gpu_id', 'customer_id'];

/**
 * The relations that end in `listed`: the GPUs in scope with their places, of what needs a person first: critical, degraded,
 * missing, healthy, then hostname, then gpu_id.
 *
 * Nearly all of a fleet is well. So for the top of a list those that are not are found by their own indexes, and the others
 * follow in the order of an index; only where many are not well, or all are listed, is everything read and sorted.
 *
 * @param limit at most so many; null for all
 */
export function listedSql(statement: ScopedStatement, scope: GpuScope, limit: number | null): string {
  const columns = `g.customer_id, g.gpu_id, g.hostname, g.list_item, g.last_seen, ${healthSql('g')} AS health,
    ${rankSql(healthSql('g'))} AS rank`;
  const rows = () => inScope(statement, scope);
  const listed = (placed: string, most: string) => `listed AS (
      SELECT p.customer_id, p.gpu_id, p.list_item, p.last_seen, p.health, row_number() OVER (ORDER BY ${ORDER.join(', ')}) AS place
      FROM (${placed}) AS p ORDER BY ${ORDER.join(', ')} ${most}
    )`;
  if (limit === null) return listed(`SELECT ${columns} FROM fleet.gpus g WHERE ${rows()}`, '');
  const most = `LIMIT ${statement.value(limit)}::integer`;
  const unhealthy = unhealthyRangesSql('g').map(
    ({ column, predicate }) => `(SELECT ${columns} FROM fleet.gpus g WHERE ${rows()} AND ${predicate}
      ORDER BY ${column} LIMIT ${FEW + 1})`,
  );
  // Each branch has its own range of the index. The planner can tell that such rows are many, as it could not of a CASE.
  const well = statement.branches.map(
    (branch) => `(SELECT ${columns} FROM fleet.gpus g
      WHERE (SELECT c.few FROM counted c) AND ${statement.branch(branch, 'g')} AND ${ofKey(statement, scope)}
        AND ${isHealthySql('g')}
      ORDER BY g.hostname, g.gpu_id ${most})`,
  );
  return `unwell AS MATERIALIZED (
      ${unhealthy.join(' UNION ALL ')}
    ), counted AS MATERIALIZED (SELECT count(*) <= ${FEW} AS few FROM unwell
    ), ${listed(
      `SELECT u.* FROM unwell u WHERE (SELECT c.few FROM counted c)
       UNION ALL ${well.join(' UNION ALL ')}
       UNION ALL
       (SELECT ${columns} FROM fleet.gpus g WHERE (SELECT NOT c.few FROM counted c) AND ${rows()}
        ORDER BY ${ORDER.join(', ')} ${most})`,
      most,
    )}`;
}

/** The GPUs `g` that a list is of. */
export function inScope(statement: ScopedStatement, scope: GpuScope): string {
  return `${statement.rows('g')} AND ${ofKey(statement, scope)}`;
}

function ofKey(statement: ScopedStatement, { apiKeyId }: GpuScope): string {
  return apiKeyId === null ? 'true' : `g.api_key_id = ${statement.value(apiKeyId)}::bigint`;
}

/** What needs a person first. */
function rankSql(health: string): string {
  return `CASE ${health} ${GPU_HEALTHS.map((one, rank) => `WHEN '${one}' THEN ${rank}`).join(' ')} END`;
}
