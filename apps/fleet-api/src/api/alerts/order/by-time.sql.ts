import {
  follows,
  isBeforeScanEnd,
  mergedSql,
  NEWEST,
  OLDEST,
  type PageOrder,
  scansSql,
} from './page-order.sql.ts';

/**
 * Sorts by time: indexes `alerts_newest`, `alerts_newest_of_workspace` and `alerts_of_key`. For all rows of a customer, newest first,
 * `rowsSql` is
 *
 *     SELECT r.created_at, r.id, r.doc FROM fleet.alerts r
 *     WHERE r.customer_id = :customer AND (the filters)
 *       AND r.created_at <= :afterAt AND (r.created_at < :afterAt OR r.id > :afterId) AND r.created_at >= :from
 *     ORDER BY created_at DESC, id LIMIT :limit + 1
 */
export function byTime(order: 'newest' | 'oldest'): PageOrder {
  const isDescending = order === 'newest';
  const orderBy = isDescending ? NEWEST : OLDEST;
  const condition = `${follows(':afterAt::timestamptz', ':afterId::uuid', isDescending)} AND ${isBeforeScanEnd(isDescending)}`;
  return {
    orderBy,
    rowsSql: (sources) =>
      mergedSql(
        null,
        sources.flatMap((source) => scansSql(source, 'r.created_at, r.id, r.doc', condition, orderBy)),
        orderBy,
      ),
  };
}
