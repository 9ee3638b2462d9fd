import { healthOfRankSql } from '../../model/health/urgency.sql.ts';
import { inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { withDataVersion } from '../data-version/data-version.ts';
import {
  idleFilterSql,
  MEASURED_COLUMNS,
  sortKeySql,
  STATUS_COLUMNS,
  STATUS_JOINS,
  type StatusParameters,
} from './status-columns.sql.ts';

/**
 * A page of GPUs. All GPUs of the customer are read and sorted, since most filters and sorts are by values that the clock
 * changes; rows are read for those of the page only, by primary key.
 */
export const GPU_STATUS = new TenantStatement<StatusParameters>(
  `WITH measured AS MATERIALIZED (
      SELECT ${MEASURED_COLUMNS} FROM fleet.gpus g
      WHERE ${inScopeSql('g')} AND (:hostname::text IS NULL OR g.hostname = :hostname::text)
        AND (:models::text[] IS NULL OR g.model = ANY (:models::text[]))
    ), keyed AS (
      SELECT m.gpu_id, m.hostname, ${sortKeySql('m', 'm.rank')} AS sort_key
      FROM measured m
      WHERE (:healths::text[] IS NULL OR ${healthOfRankSql('m.rank')} = ANY (:healths::text[])) AND ${idleFilterSql('m')}
    ), page AS MATERIALIZED (
      SELECT k.* FROM keyed k
      WHERE (k.sort_key, k.hostname, k.gpu_id, :customer::integer)
        > (:afterKey::float8, :afterHostname::text, :afterGpuId::text, :afterCustomer::integer)
      ORDER BY k.sort_key, k.hostname, k.gpu_id LIMIT :limit::integer
    ) ${withDataVersion(`SELECT :customer::integer AS customer_id, p.sort_key, ${STATUS_COLUMNS}
      FROM page p JOIN fleet.gpus g ON g.gpu_id = p.gpu_id ${STATUS_JOINS}
      WHERE ${inScopeSql('g')}`)}`,
  { isPrepared: false },
);
