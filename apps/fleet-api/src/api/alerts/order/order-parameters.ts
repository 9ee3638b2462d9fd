import { HOSTNAME_LENGTH } from '../../../model/text-lengths.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { isOpen } from '../filters/time-window.ts';
import { VALUE_FIELDS, type ValueField } from '../value-fields.ts';
import { type AlertSort, isValueField, type SortKey } from './alert-sorts.ts';
import { fieldsOf, type PageOrderName, type ScannedFields } from './page-orders.ts';

/** The order of a page, and where the page starts. */
export interface OrderedSelection {
  name: PageOrderName;
  parameters: OrderParameters;
}

/** Parameters of `PAGE_ORDERS`; each has those of its own kind. The rows after a time and an id are selected. */
export interface OrderParameters extends ScannedValues {
  from: Date;
  to: Date;
  afterAt?: Date;
  afterId?: string;
  /** One element per scan, as of the scanned values. */
  scannedAfterAts?: Date[];
  scannedAfterIds?: string[];
  /** Hostname of the last row served; null where it has none, or nothing was served. */
  lastHostname?: string | null;
  lastHostnameAfterAt?: Date;
  lastHostnameAfterId?: string;
  /** Hostnames from this one, or below it. */
  hostnamesFrom?: string;
  hostnamesBelow?: string;
  noHostnameAfterAt?: Date;
  noHostnameAfterId?: string;
}

/** The values of each field, one element per scan. */
type ScannedValues = Partial<Record<`scanned_${ValueField}`, (number | string)[]>>;

/** Exclusive lower bound in the order of the scan. */
type Bound = [createdAt: Date, id: string];
/** No row of the same millisecond is after it. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** With more values, one scan by time that filters rows costs less than one index scan per value. */
const MAX_VALUE_SCANS = 5;
/** Greater than every hostname. */
const AFTER_HOSTNAMES = '\u{10ffff}'.repeat(HOSTNAME_LENGTH + 1);

/** Returns the fields whose values are scanned one by one: the index scans apply the filters on them. */
export function scannedFields({ field }: AlertSort, selection: AlertSelection): readonly ValueField[] {
  if (field === 'hostname') return [];
  if (isValueField(field)) return [field];
  const scanned = scannedByTime(selection);
  return scanned === null ? [] : fieldsOf(scanned);
}

/** @param after the sort key of the last row served; null on the first page */
export function orderOf(sort: AlertSort, selection: AlertSelection, after: SortKey | null): OrderedSelection {
  const { field } = sort;
  if (field === 'hostname') return byHostname(sort, selection, after);
  if (isValueField(field)) return byValues(field, sort, selection, after);
  return byTime(sort, selection, after);
}

function byTime(
  { descending }: AlertSort,
  selection: AlertSelection,
  after: SortKey | null,
): OrderedSelection {
  const [from, to] = boundsOf(selection);
  // The first bound is that of the window, which is a whole millisecond and inclusive at its start.
  const first: Bound = [descending ? to : new Date(from.getTime() - 1), LAST_ID];
  const [afterAt, afterId] = boundAfter(first, after, descending);
  const direction = descending ? 'newest' : 'oldest';
  const scanned = scannedByTime(selection);
  if (scanned === null) return { name: direction, parameters: { from, to, afterAt, afterId } };
  const fields = fieldsOf(scanned);
  const values = combinations(fields.map((field) => selection.values[field] ?? []));
  return {
    name: `${direction}:${scanned}`,
    parameters: {
      from,
      to,
      ...scannedValues(fields, values),
      scannedAfterAts: values.map(() => afterAt),
      scannedAfterIds: values.map(() => afterId),
    },
  };
}

/** Sorts by severity, type or state: one index scan per value, in the order of the sort. */
function byValues(
  field: ValueField,
  { descending }: AlertSort,
  selection: AlertSelection,
  after: SortKey | null,
): OrderedSelection {
  const [from, to] = boundsOf(selection);
  const selected = selection.values[field];
  const all = VALUE_FIELDS[field].stored.filter((value) => selected === null || selected.includes(value));
  const sorted = descending ? all.reverse() : all;
  // Values before that of the last row have been served.
  const last = after?.[0] ?? null;
  const values = last === null ? sorted : sorted.slice(Math.max(0, sorted.indexOf(last)));
  const bounds = values.map((_value, rank) => boundAfter([to, LAST_ID], rank === 0 ? after : null));
  return {
    name: field,
    parameters: {
      from,
      to,
      [`scanned_${field}`]: values,
      scannedAfterAts: bounds.map(([at]) => at),
      scannedAfterIds: bounds.map(([, id]) => id),
    },
  };
}

function byHostname(
  { descending }: AlertSort,
  selection: AlertSelection,
  after: SortKey | null,
): OrderedSelection {
  const [from, to] = boundsOf(selection);
  const first: Bound = [to, LAST_ID];
  const hostname = after?.[0] as string | null | undefined;
  const [lastHostnameAfterAt, lastHostnameAfterId] = boundAfter(first, after);
  const [noHostnameAfterAt, noHostnameAfterId] = boundAfter(first, hostname === null ? after : null);
  return {
    name: `hostname${descending ? 'Descending' : ''}${isOpen(selection.window) ? '' : 'InWindow'}` as const,
    parameters: {
      from,
      to,
      lastHostname: hostname ?? null,
      lastHostnameAfterAt,
      lastHostnameAfterId,
      ...hostnamesAfter(hostname),
      noHostnameAfterAt,
      noHostnameAfterId,
    },
  };
}

/** @param hostname of the last row: undefined on the first page, null after all hostnames */
function hostnamesAfter(hostname: string | null | undefined) {
  if (hostname === undefined) return { hostnamesFrom: '', hostnamesBelow: AFTER_HOSTNAMES };
  if (hostname === null) return { hostnamesFrom: AFTER_HOSTNAMES, hostnamesBelow: '' };
  // The next text in code point order: PostgreSQL stores no U+0000.
  return { hostnamesFrom: `${hostname}\u{1}`, hostnamesBelow: hostname };
}

/**
 * Returns the bound of the rows after the last one served, or the first bound. A client can compute a token whose row is not within
 * the window.
 */
function boundAfter(first: Bound, after: SortKey | null, isDescending = true): Bound {
  if (after === null) return first;
  const [, ms, id] = after;
  const isWithin = isDescending ? ms < first[0].getTime() : ms > first[0].getTime();
  return isWithin ? [new Date(ms), id] : first;
}

function boundsOf({ window }: AlertSelection): [from: Date, to: Date] {
  return [new Date(window.fromMs), new Date(window.toMs)];
}

/** @param values of each scan, in the order of the fields */
function scannedValues(fields: readonly ValueField[], values: readonly (number | string)[][]): ScannedValues {
  return Object.fromEntries(
    fields.map((field, n) => [`scanned_${field}`, values.map((ofScan) => ofScan[n])]),
  );
}

/**
 * Returns the fields to scan per value in a list by time: the query selects few of their values. Null for the alerts of an API key:
 * one scan by time skips other values (`hasSelectedValuesOfKey`).
 */
function scannedByTime({ scope, values }: AlertSelection): ScannedFields | null {
  if (scope.apiKeyId !== undefined) return null;
  const count = (field: ValueField) => values[field]?.length ?? Infinity;
  const areFew = (field: ValueField) =>
    count(field) < VALUE_FIELDS[field].stored.length && count(field) <= MAX_VALUE_SCANS;
  const isPairOfFew = count('type') * count('severity') <= MAX_VALUE_SCANS;
  if (areFew('type') && areFew('severity') && isPairOfFew) return 'type,severity';
  return (['type', 'severity', 'state'] as const).find(areFew) ?? null;
}

/** Returns each combination of one value of each list. */
function combinations<Value>(lists: readonly (readonly Value[])[]): Value[][] {
  return lists.reduce<Value[][]>(
    (found, values) => found.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );
}
