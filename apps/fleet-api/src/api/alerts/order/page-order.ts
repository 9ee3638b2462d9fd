import type { ScopedStatement } from '../../access/tenant-database.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { END_MS } from '../filters/time-window.ts';
import { type AlertSort, isValueField, type SortKey, STORED_VALUES, type ValueField } from './alert-sorts.ts';

/** Rows of a table, which has the alias `r` in the condition. */
export interface Source {
  table: string;
  where: string;
}

/** How the rows of a page are read and sorted. Rows with equal values are sorted by time, newest first, then by id. */
export interface PageOrder {
  /** The column that precedes the time in the order; `rank` is the rank of a severity, state or type. */
  leading: 'rank' | 'hostname' | null;
  orderBy: string;
  /** Selection of the rows within the index scans: without the field whose values are scanned one by one. */
  remaining: AlertSelection;
  /** Returns a query for the first rows of all sources and, like each source, one row more than the page, if there is one. */
  rowsSql(statement: ScopedStatement, sources: readonly Source[], limit: string): string;
}

const BY_TIME = 'created_at DESC, id';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** With more values, one scan by time that filters rows costs less than one index scan per value. */
const MAX_VALUE_SCANS = 5;

/** @param after the sort key of the last row served; null on the first page */
export function pageOrder(sort: AlertSort, selection: AlertSelection, after: SortKey | null): PageOrder {
  const { field } = sort;
  if (field === 'hostname') return byHostname(sort, selection, after);
  if (isValueField(field)) return byValue(field, sort, selection, after);
  return byTime(sort, selection, after);
}

/** Sorts by severity, type or state: one index scan per value, in the order of the sort. */
function byValue(
  field: ValueField,
  { descending }: AlertSort,
  selection: AlertSelection,
  after: SortKey | null,
): PageOrder {
  const selected = selection[field];
  const all = [...STORED_VALUES[field]].filter(
    (value) => selected === null || selected.includes(value as never),
  );
  const sorted = descending ? all.reverse() : all;
  // Values before that of the last row have been served.
  const values = after === null ? sorted : sorted.slice(Math.max(0, sorted.indexOf(after[0] as never)));
  const bounds = values.map((_value, rank): Bound =>
    rank === 0 && after !== null ? [after[1], after[2]] : NEWEST_FIRST,
  );
  const orderBy = `rank, ${BY_TIME}`;
  return {
    leading: 'rank',
    orderBy,
    remaining: without(selection, [field]),
    rowsSql(statement, sources, limit) {
      const scanned = values.map((value) => [value]);
      const scans = { fields: [field], values: scanned, bounds, descending: true, orderBy, limit };
      return mergedSql('rank', valueScans(statement, sources, scans), orderBy, limit);
    },
  };
}

function byTime({ descending }: AlertSort, selection: AlertSelection, after: SortKey | null): PageOrder {
  const orderBy = descending ? BY_TIME : 'created_at, id';
  const fields = fieldsWithFewValues(selection);
  const scansOf = (statement: ScopedStatement, sources: readonly Source[], limit: string): string[] => {
    if (fields.length > 0) {
      const values = combinations(fields.map((field) => selection[field] as (number | string)[]));
      const first: Bound = descending ? NEWEST_FIRST : OLDEST_FIRST;
      const bound: Bound = after === null ? first : [after[1], after[2]];
      const bounds = values.map(() => bound);
      return valueScans(statement, sources, { fields, values, bounds, descending, orderBy, limit });
    }
    const follows = after === null ? 'true' : rowsAfter(statement, after, descending);
    return sources.map(
      ({ table, where }) =>
        `SELECT r.created_at, r.id, r.doc FROM ${table} r WHERE ${where} AND ${follows} ORDER BY ${orderBy} LIMIT ${limit} + 1`,
    );
  };
  return {
    leading: null,
    orderBy,
    remaining: without(selection, fields),
    rowsSql: (statement, sources, limit) =>
      mergedSql(null, scansOf(statement, sources, limit), orderBy, limit),
  };
}

/** Returns the fields to scan per value: the query selects few of their values, and an index starts with them. */
function fieldsWithFewValues(selection: AlertSelection): ValueField[] {
  const valuesOf = (field: ValueField) => selection[field]?.length ?? Infinity;
  const few = (['type', 'severity', 'state'] as const).filter(
    (field) => valuesOf(field) < STORED_VALUES[field].length && valuesOf(field) <= MAX_VALUE_SCANS,
  );
  const hasPair = few[1] === 'severity' && valuesOf('type') * valuesOf('severity') <= MAX_VALUE_SCANS;
  return few.slice(0, hasPair ? 2 : 1);
}

/** Returns each combination of one value of each list. */
function combinations<Value>(lists: readonly Value[][]): Value[][] {
  return lists.reduce<Value[][]>(
    (found, values) => found.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );
}

function without(selection: AlertSelection, fields: readonly ValueField[]): AlertSelection {
  return { ...selection, ...Object.fromEntries(fields.map((field) => [field, null])) };
}

/**
 * Sorts by hostname in code point order, null last both ways. The index ranges are the rest of the last row's hostname,
 * the hostnames after it, and null.
 */
function byHostname({ descending }: AlertSort, selection: AlertSelection, after: SortKey | null): PageOrder {
  const orderBy = `hostname ${descending ? 'DESC' : 'ASC'} NULLS LAST, ${BY_TIME}`;
  return {
    leading: 'hostname',
    orderBy,
    remaining: selection,
    rowsSql(statement, sources, limit) {
      const { rest, others } = hostnamesAfter(statement, after, descending);
      // For both directions of the sort: by ascending hostname, the index is in another order, and PostgreSQL would sort all
      // rows without a hostname.
      const withoutHostname = (range: string) => mergedScans(sources, range, BY_HOSTNAME_DESCENDING, limit);
      if (others === null) return withoutHostname(rest);
      const ranges = [
        ...(rest === null ? [] : [mergedScans(sources, rest, BY_TIME, limit)]),
        descending
          ? mergedScans(sources, others, BY_HOSTNAME_DESCENDING, limit)
          : ascendingHostnames(sources, others, limit),
        withoutHostname('r.hostname IS NULL'),
      ];
      return mergedSql('hostname', ranges, orderBy, limit);
    },
  };
}

const BY_HOSTNAME_DESCENDING = `hostname DESC NULLS LAST, ${BY_TIME}`;

/** Returns conditions for the rest of the last row's hostname, and for the hostnames after it: none after null. */
function hostnamesAfter(
  statement: ScopedStatement,
  after: SortKey | null,
  descending: boolean,
): { rest: string | null; others: string } | { rest: string; others: null } {
  if (after === null) return { rest: null, others: 'r.hostname IS NOT NULL' };
  const follows = rowsAfter(statement, after, true);
  if (after[0] === null) return { rest: `r.hostname IS NULL AND ${follows}`, others: null };
  const hostname = `${statement.value(after[0])}::text`;
  return {
    rest: `r.hostname = ${hostname} AND ${follows}`,
    others: `r.hostname ${descending ? '<' : '>'} ${hostname}`,
  };
}

/**
 * The index has the newest row of a hostname last, so a forward scan returns the rows of each in the wrong order. It contains
 * all rows of the page, except for those of its last hostname, of which it may have read only the oldest. They are read
 * backward.
 */
function ascendingHostnames(sources: readonly Source[], range: string, limit: string): string {
  const last = '(SELECT max(hostname) FROM forward)';
  return `WITH forward AS MATERIALIZED (${mergedScans(sources, range, 'hostname NULLS FIRST', limit)})
    SELECT hostname, created_at, id, doc FROM forward WHERE hostname < ${last}
    UNION ALL (${mergedScans(sources, `r.hostname = ${last}`, BY_TIME, limit)})`;
}

/**
 * Reads one index range of each source, in an order of the index, until the page is full. A range of one hostname must be in
 * the order of time: PostgreSQL would not merge its scans by hostname, but sort their rows.
 */
function mergedScans(sources: readonly Source[], range: string, orderBy: string, limit: string): string {
  const scans = sources.map(
    ({ table, where }) =>
      `SELECT r.hostname, r.created_at, r.id, r.doc FROM ${table} r WHERE ${where} AND ${range} ORDER BY ${orderBy} LIMIT ${limit} + 1`,
  );
  return mergedSql('hostname', scans, orderBy, limit);
}

/** Merges scans that have this order. */
function mergedSql(leading: PageOrder['leading'], scans: string[], orderBy: string, limit: string): string {
  const [first] = scans;
  if (first !== undefined && scans.length === 1) return first;
  const all = scans.map((scan) => `(${scan})`).join(' UNION ALL ');
  return `SELECT ${leading === null ? '' : `found.${leading}, `}found.created_at, found.id, found.doc
    FROM (${all}) AS found ORDER BY ${orderBy} LIMIT ${limit} + 1`;
}

/** Exclusive lower bound in the order of the scan. */
type Bound = [createdAtMs: number, id: string];
/** Bounds that precede every row. */
const NEWEST_FIRST: Bound = [END_MS, FIRST_ID];
const OLDEST_FIRST: Bound = [0, FIRST_ID];

interface ValueScans {
  fields: readonly ValueField[];
  /** For each scan, a value of each field. */
  values: readonly (number | string)[][];
  /** One bound per scan. */
  bounds: Bound[];
  descending: boolean;
  orderBy: string;
  limit: string;
}

/** One index scan per value, or combination of values, after its bound. PostgreSQL stops when the page is full, before the remaining scans. */
function valueScans(
  statement: ScopedStatement,
  sources: readonly Source[],
  { fields, values, bounds, descending, orderBy, limit }: ValueScans,
): string[] {
  const listed = fields.map((field, n) => {
    const ofField = values.map((ofScan) => ofScan[n] as number | string);
    return `${statement.value(ofField)}::${field === 'type' ? 'text' : 'smallint'}[]`;
  });
  const isOfScan = fields.map((field) => `r.${field} = scan.${field}`).join(' AND ');
  const times = `${statement.value(bounds.map(([ms]) => new Date(ms)))}::timestamptz[]`;
  const ids = `${statement.value(bounds.map(([, id]) => id))}::uuid[]`;
  const follows = keysetPredicate('scan.after_at', 'scan.after_id', descending);
  const timeOrder = descending ? 'r.created_at DESC, r.id' : 'r.created_at, r.id';
  return sources.map(
    ({ table, where }) => `SELECT scan.rank, found.created_at, found.id, found.doc
     FROM unnest(${listed.join(', ')}, ${times}, ${ids}) WITH ORDINALITY AS scan (${fields.join(', ')}, after_at, after_id, rank)
     CROSS JOIN LATERAL (
       SELECT r.created_at, r.id, r.doc FROM ${table} r
       WHERE ${where} AND ${isOfScan} AND ${follows}
       ORDER BY ${timeOrder} LIMIT ${limit} + 1
     ) AS found ORDER BY ${orderBy} LIMIT ${limit} + 1`,
  );
}

function rowsAfter(statement: ScopedStatement, [, ms, id]: SortKey, descending: boolean): string {
  const at = `${statement.value(new Date(ms))}::timestamptz`;
  return keysetPredicate(at, `${statement.value(id)}::uuid`, descending);
}

/** Selects the rows `r` after a time and an id. Ids ascend within a millisecond in both directions of time. */
function keysetPredicate(at: string, id: string, descending: boolean): string {
  const [upTo, beyond] = descending ? ['<=', '<'] : ['>=', '>'];
  return `r.created_at ${upTo} ${at} AND (r.created_at ${beyond} ${at} OR r.id > ${id})`;
}
