import { healthSql } from '../../model/health/health.sql.ts';
import { timestampSql } from '../timestamp.sql.ts';

const TEXT_COLUMNS = 'name description usage_category namespace pod job owner'.split(' ');
const columnsOf = (alias: string) =>
  [...TEXT_COLUMNS, 'first_seen', 'last_seen'].map((column) => `${alias}.${column}`).join(', ');
/** The fields of `JobModel`. On a missing GPU, no job counts as running. */
const FIELDS = `'gpu_id', g.gpu_id, ${['kind', 'pid', ...TEXT_COLUMNS].map((field) => `'${field}', r.${field}`).join(', ')},
      'first_seen', ${timestampSql('r.first_seen')}, 'last_seen', ${timestampSql('r.last_seen')},
      'is_running', r.is_current AND ${healthSql('g')} <> 'missing'`;

/** Returns the predicate of the jobs in the most recent reports of the GPU `g`. Jobs that are not in them have ended. */
export const isCurrentSql = (alias: string) => `${alias}.last_seen > g.last_seen - interval '15 minutes'`;

/**
 * Returns a subselect of the processes, pods and jobs of the GPU `g` in the window `:from` to `:to` as a JSON array of
 * `JobModel`, by primary keys. Current jobs come first, then the newest.
 *
 * @param withCurrent whether current jobs outside of the window are included
 */
export function jobsSql({ withCurrent, limit }: { withCurrent: boolean; limit: number }): string {
  const rowsOf = (alias: string) => {
    const inWindowSql = `${alias}.last_seen >= :from::timestamptz AND ${alias}.first_seen < :to::timestamptz`;
    const listedSql = withCurrent ? `${inWindowSql} OR ${isCurrentSql(alias)}` : inWindowSql;
    return `${alias}.customer_id = :customer AND ${alias}.gpu_id = g.gpu_id AND (${listedSql})`;
  };
  return `(SELECT coalesce(json_agg(json_build_object(${FIELDS}) ORDER BY r.line), '[]') FROM (
      SELECT j.*, row_number() OVER (ORDER BY j.is_current DESC, j.last_seen DESC, j.first_seen DESC, j.name, j.pid) AS line FROM (
        SELECT 'process' AS kind, p.pid, ${columnsOf('p')}, ${isCurrentSql('p')} AS is_current
        FROM fleet.gpu_processes p WHERE ${rowsOf('p')}
        UNION ALL
        SELECT 'workload', NULL, ${columnsOf('w')}, ${isCurrentSql('w')}
        FROM fleet.gpu_workloads w WHERE ${rowsOf('w')}
      ) AS j ORDER BY line LIMIT ${limit}
    ) AS r)`;
}
