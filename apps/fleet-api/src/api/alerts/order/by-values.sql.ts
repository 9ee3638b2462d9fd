import { unionAll } from '../../access/scope.sql.ts';
import type { ScannedRows } from '../scanned-rows.sql.ts';
import { VALUE_FIELDS, type ValueField } from '../value-fields.ts';
import {
  followsSql,
  isBeforeScanEndSql,
  LIMIT,
  mergedSql,
  orderByTimeSql,
  type PageOrder,
  scansSql,
  type TimeOrder,
} from './page-order.sql.ts';

/**
 * Returns an order with one index scan for each value, or combination of values, of the fields: indexes `alerts_by_…` and
 * `alerts_of_workspace_by_…`. PostgreSQL stops when the page is full, before the remaining scans. For all rows of a customer by
 * severity, `rowsSql` is
 *
 *     SELECT scan.rank, found.created_at, found.id, found.doc
 *     FROM unnest(:scanned_severity, :scannedAfterAts, :scannedAfterIds)
 *       WITH ORDINALITY AS scan (severity, after_at, after_id, rank)
 *     CROSS JOIN LATERAL (
 *       SELECT r.created_at, r.id, r.doc FROM fleet.alerts r
 *       WHERE r.customer_id = :customer AND (the filters) AND r.severity = scan.severity
 *         AND r.created_at <= scan.after_at AND (r.created_at < scan.after_at OR r.id > scan.after_id) AND r.created_at >= :from
 *       ORDER BY created_at DESC, id LIMIT :limit + 1
 *     ) AS found
 *     ORDER BY rank, created_at DESC, id LIMIT :limit + 1
 *
 * @param order `values` for the order of the values, then newest first; otherwise by time
 */
export function byValues(fields: readonly ValueField[], order: 'values' | TimeOrder): PageOrder {
  const orderOfScan = order === 'values' ? 'newest' : order;
  const scanOrderBy = orderByTimeSql(orderOfScan);
  const orderBy = order === 'values' ? `rank, ${scanOrderBy}` : scanOrderBy;
  const listed = fields.map((field) => `:scanned_${field}::${VALUE_FIELDS[field].sqlType}[]`).join(', ');
  const hasValuesSql = fields.map((field) => `r.${field} = scan.${field}`).join(' AND ');
  const inScanSql = `${hasValuesSql} AND ${followsSql(orderOfScan, 'scan.after_at', 'scan.after_id')} AND ${isBeforeScanEndSql(orderOfScan)}`;
  const scansOf = (scanned: ScannedRows) =>
    scansSql(scanned, 'r.created_at, r.id, r.doc', inScanSql, scanOrderBy);
  const scanOfValues = (scanned: ScannedRows) => `SELECT scan.rank, found.created_at, found.id, found.doc
     FROM unnest(${listed}, :scannedAfterAts::timestamptz[], :scannedAfterIds::uuid[])
       WITH ORDINALITY AS scan (${fields.join(', ')}, after_at, after_id, rank)
     CROSS JOIN LATERAL (${unionAll(scansOf(scanned))}) AS found
     ORDER BY ${orderBy} ${LIMIT}`;
  return {
    orderBy,
    rowsSql: (scanned) => mergedSql(order === 'values' ? 'rank' : null, scanned.map(scanOfValues), orderBy),
  };
}
