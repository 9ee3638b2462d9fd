import type { ScopedStatement } from '../../access/tenant-database.ts';
import type { Predicate } from '../filters/alert-predicate.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { END_MS } from '../filters/time-window.ts';
import { type AlertSort, isValueField, type SortKey, STORED_VALUES, type ValueField } from './alert-sorts.ts';

/** Rows of a table, each source an index range that is read in its order and only as far as the page needs. */
type Sources = (table: string, where: Predicate) => string[];

/** How a page's rows are read and sorted: ties are the newest first, then by id. */
export interface PageOrder {
  /** The column that sorts before the time, if one does. */
  leading: 'place' | 'hostname' | null;
  orderBy: string;
  sources: Sources;
  /** The stored value of the sort's field for what stands in the leading column. */
  valueOf(leading: string | null): SortKey[0];
}

const BY_TIME = 'created_at DESC, id';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** With more values than this, reading by time and leaving rows out costs less than a lane each. */
const MOST_LANES = 5;

/** @param after the last row served; null on the first page */
export function pageOrder(
  statement: ScopedStatement,
  sort: AlertSort,
  selection: AlertSelection,
  limit: string,
  after: SortKey | null,
): PageOrder {
  const { field } = sort;
  if (field === 'hostname') return byHostname(statement, sort, limit, after);
  if (isValueField(field)) return byValue(statement, field, sort, selection, limit, after);
  return byTime(statement, sort, selection, limit, after);
}

/** The field whose few selected values make index ranges of their own for an order by time, else null. */
function laneField(selection: AlertSelection): ValueField | null {
  const few = (field: ValueField) => {
    const selected = selection[field];
    return (
      selected !== null && selected.length < STORED_VALUES[field].length && selected.length <= MOST_LANES
    );
  };
  return (['type', 'severity', 'state'] as const).find(few) ?? null;
}

/** By severity, type or state: a lane for each value, in the order of the sort. */
function byValue(
  statement: ScopedStatement,
  field: ValueField,
  { descending }: AlertSort,
  selection: AlertSelection,
  limit: string,
  after: SortKey | null,
): PageOrder {
  const selected = selection[field];
  const all = [...STORED_VALUES[field]].filter(
    (value) => selected === null || selected.includes(value as never),
  );
  const sorted = descending ? all.reverse() : all;
  // Values before the last row's are served.
  const values =
    after === null ? sorted : sorted.filter((_value, at) => at >= sorted.indexOf(after[0] as never));
  const orderBy = `place, ${BY_TIME}`;
  const bounds = values.map((_value, lane): Bound =>
    lane === 0 && after !== null ? [after[1], after[2]] : NO_BOUND,
  );
  return {
    leading: 'place',
    orderBy,
    sources: lanes(statement, field, values, bounds, { descending: true, orderBy, limit }),
    valueOf: (place) => values[Number(place) - 1] ?? null,
  };
}

function byTime(
  statement: ScopedStatement,
  { descending }: AlertSort,
  selection: AlertSelection,
  limit: string,
  after: SortKey | null,
): PageOrder {
  const orderBy = descending ? BY_TIME : 'created_at, id';
  const order = { leading: null, orderBy, valueOf: () => null };
  const field = laneField(selection);
  if (field !== null) {
    const values = selection[field] as (number | string)[];
    const none: Bound = descending ? NO_BOUND : [0, FIRST_ID];
    const bound: Bound = after === null ? none : [after[1], after[2]];
    return {
      ...order,
      sources: lanes(
        statement,
        field,
        values,
        values.map(() => bound),
        { descending, orderBy, limit },
      ),
    };
  }
  const follows = after === null ? () => 'true' : following(statement, after, descending);
  return {
    ...order,
    sources: (table, where) => [
      `SELECT r.created_at, r.id, r.doc FROM ${table} r WHERE ${where('r')} AND ${follows('r')}
       ORDER BY ${orderBy} LIMIT ${limit} + 1`,
    ],
  };
}

/** By hostname in code points, null last both ways: what is left of the last row's, the others, and none. */
function byHostname(
  statement: ScopedStatement,
  { descending }: AlertSort,
  limit: string,
  after: SortKey | null,
): PageOrder {
  const orderBy = `hostname ${descending ? 'DESC' : 'ASC'} NULLS LAST, ${BY_TIME}`;
  const ranges: Predicate[] = [];
  if (after === null)
    ranges.push(
      (alias) => `${alias}.hostname IS NOT NULL`,
      (alias) => `${alias}.hostname IS NULL`,
    );
  else {
    const follows = following(statement, after, true);
    if (after[0] === null) ranges.push((alias) => `${alias}.hostname IS NULL AND ${follows(alias)}`);
    else {
      const hostname = `${statement.value(after[0])}::text`;
      ranges.push(
        (alias) => `${alias}.hostname = ${hostname} AND ${follows(alias)}`,
        (alias) => `${alias}.hostname ${descending ? '<' : '>'} ${hostname}`,
        (alias) => `${alias}.hostname IS NULL`,
      );
    }
  }
  return {
    leading: 'hostname',
    orderBy,
    sources: (table, where) =>
      ranges.map(
        (
          range,
        ) => `SELECT r.hostname, r.created_at, r.id, r.doc FROM ${table} r WHERE ${where('r')} AND ${range('r')}
          ORDER BY ${orderBy} LIMIT ${limit} + 1`,
      ),
    valueOf: (hostname) => hostname,
  };
}

type Bound = [createdAtMs: number, id: string];
/** Every row follows it, the newest first. */
const NO_BOUND: Bound = [END_MS, FIRST_ID];

/** Rows of one value each, behind a bound each; those that come after the page is full are not read. */
function lanes(
  statement: ScopedStatement,
  field: ValueField,
  values: readonly (number | string)[],
  bounds: Bound[],
  { descending, orderBy, limit }: { descending: boolean; orderBy: string; limit: string },
): Sources {
  const listed = `${statement.value(values)}::${field === 'type' ? 'text' : 'smallint'}[]`;
  const times = `${statement.value(bounds.map(([ms]) => new Date(ms)))}::timestamptz[]`;
  const ids = `${statement.value(bounds.map(([, id]) => id))}::uuid[]`;
  const follows = keyset('lane.after_at', 'lane.after_id', descending);
  const byTime = descending ? 'r.created_at DESC, r.id' : 'r.created_at, r.id';
  return (table, where) => [
    `SELECT lane.place, found.created_at, found.id, found.doc
     FROM unnest(${listed}, ${times}, ${ids}) WITH ORDINALITY AS lane (value, after_at, after_id, place)
     CROSS JOIN LATERAL (
       SELECT r.created_at, r.id, r.doc FROM ${table} r
       WHERE ${where('r')} AND r.${field} = lane.value AND ${follows('r')}
       ORDER BY ${byTime} LIMIT ${limit} + 1
     ) AS found ORDER BY ${orderBy} LIMIT ${limit} + 1`,
  ];
}

function following(statement: ScopedStatement, [, ms, id]: SortKey, descending: boolean): Predicate {
  return keyset(`${statement.value(new Date(ms))}::timestamptz`, `${statement.value(id)}::uuid`, descending);
}

/** What comes after a time and an id: ids ascend within a moment, whichever way time goes. */
function keyset(at: string, id: string, descending: boolean): Predicate {
  const [upTo, beyond] = descending ? ['<=', '<'] : ['>=', '>'];
  return (alias) =>
    `${alias}.created_at ${upTo} ${at} AND (${alias}.created_at ${beyond} ${at} OR ${alias}.id > ${id})`;
}
