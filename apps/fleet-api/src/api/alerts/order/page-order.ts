import type { ScopedStatement } from '../../access/tenant-database.ts';
import type { Predicate } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { END_MS } from '../filters/time-window.ts';
import { type AlertSort, isValueField, type SortKey, STORED_VALUES, type ValueField } from './alert-sorts.ts';

/** Returns queries on a table, each of which reads one index range in the order of the page, up to the page's limit. */
type IndexScans = (table: string, where: Predicate) => string[];

/** How the rows of a page are read and sorted. Rows with equal values are sorted by time, newest first, then by id. */
export interface PageOrder {
  /** The column that precedes the time in the order; `rank` is the rank of a severity, state or type. */
  leading: 'rank' | 'hostname' | null;
  orderBy: string;
  /** Selection of the rows within the index scans: without the field whose values are scanned one by one. */
  remaining: AlertSelection;
  indexScans(statement: ScopedStatement, limit: string): IndexScans;
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
    remaining: { ...selection, [field]: null },
    indexScans: (statement, limit) =>
      valueScans(statement, { field, values, bounds, descending: true, orderBy, limit }),
  };
}

function byTime({ descending }: AlertSort, selection: AlertSelection, after: SortKey | null): PageOrder {
  const orderBy = descending ? BY_TIME : 'created_at, id';
  const field = fieldWithFewValues(selection);
  const indexScans = (statement: ScopedStatement, limit: string): IndexScans => {
    if (field !== null) {
      const values = selection[field] as (number | string)[];
      const first: Bound = descending ? NEWEST_FIRST : OLDEST_FIRST;
      const bound: Bound = after === null ? first : [after[1], after[2]];
      const bounds = values.map(() => bound);
      return valueScans(statement, { field, values, bounds, descending, orderBy, limit });
    }
    const follows = after === null ? () => 'true' : rowsAfter(statement, after, descending);
    return (table, where) => [
      `SELECT r.created_at, r.id, r.doc FROM ${table} r WHERE ${where('r')} AND ${follows('r')}
       ORDER BY ${orderBy} LIMIT ${limit} + 1`,
    ];
  };
  const remaining = field === null ? selection : { ...selection, [field]: null };
  return { leading: null, orderBy, remaining, indexScans };
}

/** Returns the field to scan per value: the query selects few of its values. */
function fieldWithFewValues(selection: AlertSelection): ValueField | null {
  const hasFewValues = (field: ValueField) => {
    const selected = selection[field];
    return (
      selected !== null && selected.length < STORED_VALUES[field].length && selected.length <= MAX_VALUE_SCANS
    );
  };
  return (['type', 'severity', 'state'] as const).find(hasFewValues) ?? null;
}

/**
 * Sorts by hostname in code point order, null last both ways. The index ranges are the rest of the last row's hostname,
 * the hostnames after it, and null.
 */
function byHostname(
  { descending }: AlertSort,
  selection: AlertSelection,
  after: SortKey | null,
): PageOrder {
  const inOrder = (direction: 'ASC' | 'DESC') => `hostname ${direction} NULLS LAST, ${BY_TIME}`;
  const orderBy = inOrder(descending ? 'DESC' : 'ASC');
  const isNull: Predicate = (alias) => `${alias}.hostname IS NULL`;
  const rangesAfter = (statement: ScopedStatement): { rest: Predicate[]; others: Predicate[] } => {
    if (after === null) return { rest: [], others: [(alias) => `${alias}.hostname IS NOT NULL`] };
    const follows = rowsAfter(statement, after, true);
    if (after[0] === null) return { rest: [(alias) => `${isNull(alias)} AND ${follows(alias)}`], others: [] };
    const hostname = `${statement.value(after[0])}::text`;
    return {
      rest: [(alias) => `${alias}.hostname = ${hostname} AND ${follows(alias)}`],
      others: [(alias) => `${alias}.hostname ${descending ? '<' : '>'} ${hostname}`],
    };
  };
  return {
    leading: 'hostname',
    orderBy,
    remaining: selection,
    indexScans(statement, limit) {
      const { rest, others } = rangesAfter(statement);
      return (table, where) => {
        const scan = (range: Predicate, order = orderBy) =>
          `SELECT r.hostname, r.created_at, r.id, r.doc FROM ${table} r
           WHERE ${where('r')} AND ${range('r')} ORDER BY ${order} LIMIT ${limit} + 1`;
        // The order of the index. In the other one, PostgreSQL would sort all rows without a hostname.
        const scanOfOne = (range: Predicate) => scan(range, inOrder('DESC'));
        const isIndexed = table.startsWith('fleet.');
        return [
          ...rest.map(scanOfOne),
          ...others.map((range) =>
            descending || !isIndexed ? scan(range) : ascendingHostnames(table, where, range, limit),
          ),
          ...(others.length === 0 ? [] : [scanOfOne(isNull)]),
        ];
      };
    },
  };
}

/**
 * One index scan per hostname, in ascending order, until the page is full. The index has the newest row of a hostname last, so
 * that a forward scan would return the rows of each in the wrong order. The next hostname is found in the index too.
 */
function ascendingHostnames(table: string, where: Predicate, range: Predicate, limit: string): string {
  const next = (condition: string) =>
    `SELECT r.hostname FROM ${table} r WHERE ${where('r')} AND ${condition} ORDER BY r.hostname NULLS FIRST LIMIT 1`;
  // Without ORDER BY: it would read the rows of all hostnames.
  return `SELECT found.hostname, found.created_at, found.id, found.doc FROM (
      WITH RECURSIVE present (hostname) AS (
        (${next(range('r'))})
        UNION ALL
        SELECT (${next('r.hostname > present.hostname')}) FROM present WHERE present.hostname IS NOT NULL
      ) SELECT present.hostname FROM present
    ) AS present CROSS JOIN LATERAL (
      SELECT r.hostname, r.created_at, r.id, r.doc FROM ${table} r
      WHERE ${where('r')} AND r.hostname = present.hostname ORDER BY ${BY_TIME} LIMIT ${limit} + 1
    ) AS found LIMIT ${limit} + 1`;
}

/** Exclusive lower bound in the order of the scan. */
type Bound = [createdAtMs: number, id: string];
/** Bounds that precede every row. */
const NEWEST_FIRST: Bound = [END_MS, FIRST_ID];
const OLDEST_FIRST: Bound = [0, FIRST_ID];

interface ValueScans {
  field: ValueField;
  values: readonly (number | string)[];
  /** One bound per value. */
  bounds: Bound[];
  descending: boolean;
  orderBy: string;
  limit: string;
}

/** One index scan per value, after its bound. PostgreSQL stops when the page is full, before the remaining scans. */
function valueScans(
  statement: ScopedStatement,
  { field, values, bounds, descending, orderBy, limit }: ValueScans,
): IndexScans {
  const listed = `${statement.value(values)}::${field === 'type' ? 'text' : 'smallint'}[]`;
  const times = `${statement.value(bounds.map(([ms]) => new Date(ms)))}::timestamptz[]`;
  const ids = `${statement.value(bounds.map(([, id]) => id))}::uuid[]`;
  const follows = keysetPredicate('scan.after_at', 'scan.after_id', descending);
  const timeOrder = descending ? 'r.created_at DESC, r.id' : 'r.created_at, r.id';
  return (table, where) => [
    `SELECT scan.rank, found.created_at, found.id, found.doc
     FROM unnest(${listed}, ${times}, ${ids}) WITH ORDINALITY AS scan (value, after_at, after_id, rank)
     CROSS JOIN LATERAL (
       SELECT r.created_at, r.id, r.doc FROM ${table} r
       WHERE ${where('r')} AND r.${field} = scan.value AND ${follows('r')}
       ORDER BY ${timeOrder} LIMIT ${limit} + 1
     ) AS found ORDER BY ${orderBy} LIMIT ${limit} + 1`,
  ];
}

function rowsAfter(statement: ScopedStatement, [, ms, id]: SortKey, descending: boolean): Predicate {
  const at = `${statement.value(new Date(ms))}::timestamptz`;
  return keysetPredicate(at, `${statement.value(id)}::uuid`, descending);
}

/** Selects the rows after a time and an id. Ids ascend within a millisecond in both directions of time. */
function keysetPredicate(at: string, id: string, descending: boolean): Predicate {
  const [upTo, beyond] = descending ? ['<=', '<'] : ['>=', '>'];
  return (alias) =>
    `${alias}.created_at ${upTo} ${at} AND (${alias}.created_at ${beyond} ${at} OR ${alias}.id > ${id})`;
}
