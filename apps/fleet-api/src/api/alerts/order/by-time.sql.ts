import {
  followsSql,
  isBeforeScanEndSql,
  mergedSql,
  orderByTimeSql,
  type PageOrder,
  scansSql,
  type TimeOrder,
} from './page-order.sql.ts';
import type { ScannedRows } from '../scanned-rows.sql.ts';

/**
 * Returns the order by time, by the indexes `alerts_newest`, `alerts_newest_of_workspace` and `alerts_of_key`. For all rows of a
 * customer, newest first, `rowsSql` is
 *
 *     SELECT r.created_at, r.id, r.doc FROM fleet.alerts r
 *     WHERE r.customer_id = :customer AND (the filters)
 *       AND r.created_at <= :afterAt AND (r.created_at < :afterAt OR r.id > :afterId) AND r.created_at >= :from
 *     ORDER BY created_at DESC, id LIMIT :limit + 1
 */
export function byTime(order: TimeOrder): PageOrder {
  const orderBy = orderByTimeSql(order);
  const condition = `${followsSql(order, ':afterAt::timestamptz', ':afterId::uuid')} AND ${isBeforeScanEndSql(order)}`;
  const scansOf = (scanned: ScannedRows) =>
    scansSql(scanned, 'r.created_at, r.id, r.doc', condition, orderBy);
  return { orderBy, rowsSql: (scanned) => mergedSql(null, scanned.flatMap(scansOf), orderBy) };
}
