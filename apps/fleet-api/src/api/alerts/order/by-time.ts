import type { ScannedRows } from '../alert-relations.sql.ts';
import {
  followsSql,
  isBeforeScanEndSql,
  mergedSql,
  orderByTimeSql,
  type PageOrder,
  scansSql,
  scanStart,
  type TimeOrder,
} from './page-order.ts';

/**
 * Returns the order by time, by the indexes `alerts_newest`, `alerts_newest_of_workspace` and `alerts_of_key`. For all rows of a
 * customer, newest first, `rowsSql` is
 *
 *     SELECT a.created_at, a.id, a.doc FROM fleet.alerts a
 *     WHERE a.customer_id = :customer AND (the filters)
 *       AND a.created_at <= :afterAt AND (a.created_at < :afterAt OR a.id > :afterId) AND a.created_at >= :from
 *     ORDER BY created_at DESC, id LIMIT :limit + 1
 */
export function byTime(order: TimeOrder): PageOrder {
  const orderBy = orderByTimeSql(order);
  const condition = `${followsSql(order, ':afterAt::timestamptz', ':afterId::uuid')} AND ${isBeforeScanEndSql(order)}`;
  const scansOf = (scanned: ScannedRows) =>
    scansSql(scanned, 'a.created_at, a.id, a.doc', condition, orderBy);
  return {
    orderBy,
    scannedFields: [],
    rowsSql: (scanned) => mergedSql(null, scanned.flatMap(scansOf), orderBy),
    parameters({ selection }, after) {
      const { at, id } = scanStart(selection, order, after);
      return { afterAt: at, afterId: id };
    },
  };
}
