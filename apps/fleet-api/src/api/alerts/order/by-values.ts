import { unionAll } from '../../access/scope.sql.ts';
import type { ScannedRows } from '../alert-relations.sql.ts';
import { VALUE_FIELDS, type ValueField } from '../value-fields.ts';
import type { SortKey } from './alert-sorts.ts';
import {
  type AlertListing,
  followsSql,
  isBeforeScanEndSql,
  LIMIT,
  mergedSql,
  NEWEST,
  orderByTimeSql,
  type OrderParameters,
  type PageOrder,
  scansSql,
  type ScanStart,
  scanStart,
  type TimeOrder,
} from './page-order.ts';

/** Returns the order by the values of a field, then newest first. */
export function byValues(field: ValueField): PageOrder {
  const orderBy = `rank, ${NEWEST}`;
  const scansOf = (scanned: ScannedRows) => scansOfValuesSql([field], 'newest', orderBy, scanned);
  return {
    orderBy,
    scannedFields: [field],
    rowsSql: (scanned) => mergedSql('rank', scanned.map(scansOf), orderBy),
    parameters: (listing, after) => scanParameters([field], scansInOrderOf(field, listing, after)),
  };
}

/** Returns an order by time that scans each selected value, or combination of values, of the fields. */
export function byTimeOfValues(fields: readonly ValueField[], order: TimeOrder): PageOrder {
  const orderBy = orderByTimeSql(order);
  const scansOf = (scanned: ScannedRows) => scansOfValuesSql(fields, order, orderBy, scanned);
  return {
    orderBy,
    scannedFields: fields,
    rowsSql: (scanned) => mergedSql(null, scanned.map(scansOf), orderBy),
    parameters: (listing, after) => scanParameters(fields, scansInOrderOfTime(fields, order, listing, after)),
  };
}

/**
 * Returns a query with one index scan for each value, or combination of values, of the fields: indexes `alerts_by_…` and
 * `alerts_of_workspace_by_…`. PostgreSQL stops when the page is full, before the remaining scans. For all rows of a customer by
 * severity, it is
 *
 *     SELECT scan.rank, found.created_at, found.id, found.doc
 *     FROM unnest(:scanned_severity, :scannedAfterAts, :scannedAfterIds)
 *       WITH ORDINALITY AS scan (severity, after_at, after_id, rank)
 *     CROSS JOIN LATERAL (
 *       SELECT a.created_at, a.id, a.doc FROM fleet.alerts a
 *       WHERE a.customer_id = :customer AND (the filters) AND a.severity = scan.severity
 *         AND a.created_at <= scan.after_at AND (a.created_at < scan.after_at OR a.id > scan.after_id) AND a.created_at >= :from
 *       ORDER BY created_at DESC, id LIMIT :limit + 1
 *     ) AS found
 *     ORDER BY rank, created_at DESC, id LIMIT :limit + 1
 *
 * @param order order of each scan
 */
function scansOfValuesSql(
  fields: readonly ValueField[],
  order: TimeOrder,
  orderBy: string,
  scanned: ScannedRows,
): string {
  const listed = fields.map((field) => `:scanned_${field}::${VALUE_FIELDS[field].sqlType}[]`).join(', ');
  const hasValuesSql = fields.map((field) => `a.${field} = scan.${field}`).join(' AND ');
  const inScanSql = `${hasValuesSql} AND ${followsSql(order, 'scan.after_at', 'scan.after_id')} AND ${isBeforeScanEndSql(order)}`;
  const scans = scansSql(scanned, 'a.created_at, a.id, a.doc', inScanSql, orderByTimeSql(order));
  return `SELECT scan.rank, found.created_at, found.id, found.doc
     FROM unnest(${listed}, :scannedAfterAts::timestamptz[], :scannedAfterIds::uuid[])
       WITH ORDINALITY AS scan (${fields.join(', ')}, after_at, after_id, rank)
     CROSS JOIN LATERAL (${unionAll(scans)}) AS found
     ORDER BY ${orderBy} ${LIMIT}`;
}

/** A scan of the rows with a value of each field. */
interface ValueScan {
  values: (number | string)[];
  start: ScanStart;
}

/** Returns one scan per selected value of a field, in the order of the sort. The values before that of the last row have been served. */
function scansInOrderOf(
  field: ValueField,
  { selection, sort }: AlertListing,
  after: SortKey | null,
): ValueScan[] {
  const selected = selection.values[field];
  const all = VALUE_FIELDS[field].stored.filter((value) => selected === null || selected.includes(value));
  const sorted = sort.descending ? all.reverse() : all;
  const served = after === null ? 0 : Math.max(0, sorted.indexOf(after[0] as number | string));
  return sorted.slice(served).map((value, rank) => ({
    values: [value],
    start: scanStart(selection, 'newest', rank === 0 ? after : null),
  }));
}

/** Returns one scan per combination of selected values of the fields, all with the same start. */
function scansInOrderOfTime(
  fields: readonly ValueField[],
  order: TimeOrder,
  { selection }: AlertListing,
  after: SortKey | null,
): ValueScan[] {
  const start = scanStart(selection, order, after);
  let scans: ValueScan[] = [{ values: [], start }];
  for (const field of fields) {
    const selected = selection.values[field] ?? [];
    scans = scans.flatMap(({ values }) => selected.map((value) => ({ values: [...values, value], start })));
  }
  return scans;
}

function scanParameters(fields: readonly ValueField[], scans: readonly ValueScan[]): OrderParameters {
  const parameters: OrderParameters = {
    scannedAfterAts: scans.map(({ start }) => start.at),
    scannedAfterIds: scans.map(({ start }) => start.id),
  };
  fields.forEach((field, n) => {
    parameters[`scanned_${field}`] = scans.map(({ values }) => values[n] as number | string);
  });
  return parameters;
}
