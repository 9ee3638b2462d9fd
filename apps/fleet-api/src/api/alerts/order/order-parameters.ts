import { HOSTNAME_LENGTH } from '../../../model/text-lengths.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { isOpen } from '../filters/time-window.ts';
import { VALUE_FIELDS, type ValueField } from '../value-fields.ts';
import { type AlertSort, isValueField, type SortKey } from './alert-sorts.ts';
import type { TimeOrder } from './page-order.sql.ts';
import type { PageOrderName } from './page-orders.ts';
import { fieldsOf, scannedByTime } from './scanned-fields.ts';

/** Order of a page, and the parameters of its start. */
export interface OrderedSelection {
  name: PageOrderName;
  parameters: OrderParameters;
}

/** Parameters of `PAGE_ORDERS`. Each kind of order has only some of them. A scan selects the rows after a time and an id. */
export interface OrderParameters extends WindowBounds, ScannedValues {
  afterAt?: Date;
  afterId?: string;
  /** One element per scan, like the lists of scanned values. */
  scannedAfterAts?: Date[];
  scannedAfterIds?: string[];
  /** Hostname of the last row served; null where that row has none, or on the first page. */
  lastHostname?: string | null;
  lastHostnameAfterAt?: Date;
  lastHostnameAfterId?: string;
  /** First of the following hostnames in ascending order. */
  hostnamesFrom?: string;
  /** Exclusive upper bound of the following hostnames in descending order. */
  hostnamesBelow?: string;
  noHostnameAfterAt?: Date;
  noHostnameAfterId?: string;
}

interface WindowBounds {
  from: Date;
  to: Date;
}

/** The values of each field, one element per scan. */
type ScannedValues = Partial<Record<`scanned_${ValueField}`, (number | string)[]>>;

/** The position after which a scan starts, in the order of time. */
interface ScanStart {
  at: Date;
  id: string;
}

/** The greatest id: no row of the same millisecond is after it. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** A text that is greater than every hostname. */
const AFTER_HOSTNAMES = '\u{10ffff}'.repeat(HOSTNAME_LENGTH + 1);

/** Returns the order of a page and its start. @param after the sort key of the last row served; null on the first page */
export function orderOf(sort: AlertSort, selection: AlertSelection, after: SortKey | null): OrderedSelection {
  const { field } = sort;
  if (field === 'hostname') return hostnameOrder(sort, selection, after);
  if (isValueField(field)) return valuesOrder(field, sort, selection, after);
  return timeOrder(sort, selection, after);
}

function timeOrder(
  { descending }: AlertSort,
  selection: AlertSelection,
  after: SortKey | null,
): OrderedSelection {
  const bounds = boundsOf(selection);
  const order = descending ? 'newest' : 'oldest';
  // A scan starts after a time, but the window includes its start: an ascending scan starts 1 ms before.
  const first = { at: descending ? bounds.to : new Date(bounds.from.getTime() - 1), id: LAST_ID };
  const start = startAfter(after, first, order);
  const scanned = scannedByTime(selection);
  if (scanned === null)
    return { name: order, parameters: { ...bounds, afterAt: start.at, afterId: start.id } };
  const fields = fieldsOf(scanned);
  const values = combinations(fields.map((field) => selection.values[field] ?? []));
  return {
    name: `${order}:${scanned}`,
    parameters: { ...bounds, ...scannedValues(fields, values), ...scannedAfter(values.map(() => start)) },
  };
}

/** Sorts by severity, type or state: one index scan per value, in the order of the sort. */
function valuesOrder(
  field: ValueField,
  { descending }: AlertSort,
  selection: AlertSelection,
  after: SortKey | null,
): OrderedSelection {
  const bounds = boundsOf(selection);
  const first = { at: bounds.to, id: LAST_ID };
  const selected = selection.values[field];
  const all = VALUE_FIELDS[field].stored.filter((value) => selected === null || selected.includes(value));
  const sorted = descending ? all.reverse() : all;
  // The values before the value of the last row have been served.
  const last = after?.[0] ?? null;
  const values = last === null ? sorted : sorted.slice(Math.max(0, sorted.indexOf(last)));
  const starts = values.map((_value, rank) => (rank === 0 ? startAfter(after, first, 'newest') : first));
  return {
    name: field,
    parameters: { ...bounds, [`scanned_${field}`]: values, ...scannedAfter(starts) },
  };
}

function hostnameOrder(
  { descending }: AlertSort,
  selection: AlertSelection,
  after: SortKey | null,
): OrderedSelection {
  const bounds = boundsOf(selection);
  const first = { at: bounds.to, id: LAST_ID };
  const start = startAfter(after, first, 'newest');
  const hostname = after?.[0] as string | null | undefined;
  const startWithoutHostname = hostname === null ? start : first;
  const name = descending ? 'hostnameDescending' : 'hostname';
  return {
    name: isOpen(selection.window) ? name : `${name}InWindow`,
    parameters: {
      ...bounds,
      lastHostname: hostname ?? null,
      lastHostnameAfterAt: start.at,
      lastHostnameAfterId: start.id,
      ...hostnamesAfter(hostname),
      noHostnameAfterAt: startWithoutHostname.at,
      noHostnameAfterId: startWithoutHostname.id,
    },
  };
}

/** @param hostname hostname of the last row served; undefined on the first page, null after all hostnames */
function hostnamesAfter(hostname: string | null | undefined) {
  if (hostname === undefined) return { hostnamesFrom: '', hostnamesBelow: AFTER_HOSTNAMES };
  if (hostname === null) return { hostnamesFrom: AFTER_HOSTNAMES, hostnamesBelow: '' };
  // The next text in code point order is the hostname with U+0001 appended, because PostgreSQL stores no U+0000.
  return { hostnamesFrom: `${hostname}\u{1}`, hostnamesBelow: hostname };
}

/**
 * Returns the start of a scan: `first` on the first page, otherwise after the last row served. A client can compute a token whose row
 * is outside of the window; it is ignored.
 */
function startAfter(last: SortKey | null, first: ScanStart, order: TimeOrder): ScanStart {
  if (last === null) return first;
  const [, ms, id] = last;
  const isWithin = order === 'newest' ? ms < first.at.getTime() : ms > first.at.getTime();
  return isWithin ? { at: new Date(ms), id } : first;
}

function boundsOf({ window }: AlertSelection): WindowBounds {
  return { from: new Date(window.fromMs), to: new Date(window.toMs) };
}

/** @param values one list per scan, each with a value for each field */
function scannedValues(fields: readonly ValueField[], values: readonly (number | string)[][]): ScannedValues {
  return Object.fromEntries(
    fields.map((field, n) => [`scanned_${field}`, values.map((scanValues) => scanValues[n])]),
  );
}

/** @param starts one start per scan */
function scannedAfter(starts: readonly ScanStart[]) {
  return { scannedAfterAts: starts.map(({ at }) => at), scannedAfterIds: starts.map(({ id }) => id) };
}

/** Returns all combinations of one value from each list (the Cartesian product). */
function combinations<Value>(lists: readonly (readonly Value[])[]): Value[][] {
  return lists.reduce<Value[][]>(
    (found, values) => found.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );
}
