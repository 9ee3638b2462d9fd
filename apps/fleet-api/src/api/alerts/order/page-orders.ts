import type { Range } from '../../access/access-scope.ts';
import { type AlertSelection, isOpen } from '../filters/alert-selection.ts';
import { VALUE_FIELD_NAMES, VALUE_FIELDS, type ValueField } from '../value-fields.ts';
import { byHostname } from './by-hostname.ts';
import { byTime } from './by-time.ts';
import { byTimeOfValues, byValues } from './by-values.ts';
import type { AlertListing, PageOrder, TimeOrder } from './page-order.ts';

/** Combinations of filter fields that an index starts with. A list by time scans each selected value if there are few. */
export const SCANNED_FIELDS = ['severity', 'type', 'type,severity', 'state'] as const;
type ScannedFields = (typeof SCANNED_FIELDS)[number];

/** Maximum number of index scans, one per value. With more, one scan by time that filters rows costs less. */
const MAX_VALUE_SCANS = 5;

const scannedOrders = <Order extends TimeOrder>(order: Order) =>
  Object.fromEntries(
    SCANNED_FIELDS.map((fields) => [
      `${order}:${fields}`,
      byTimeOfValues(fields.split(',') as ValueField[], order),
    ]),
  ) as Record<`${Order}:${ScannedFields}`, PageOrder>;

/** Orders by time that scan each selected value of some fields. */
const SCANNED_ORDERS = { ...scannedOrders('newest'), ...scannedOrders('oldest') };

/** All orders: by time, with or without scanned values; by the values of a field; by hostname, with or without a window. */
export const PAGE_ORDERS = {
  newest: byTime('newest'),
  oldest: byTime('oldest'),
  ...SCANNED_ORDERS,
  severity: byValues('severity'),
  type: byValues('type'),
  state: byValues('state'),
  hostname: byHostname({ direction: 'ascending', isWithinWindow: false }),
  hostnameDescending: byHostname({ direction: 'descending', isWithinWindow: false }),
  hostnameInWindow: byHostname({ direction: 'ascending', isWithinWindow: true }),
  hostnameDescendingInWindow: byHostname({ direction: 'descending', isWithinWindow: true }),
} as const satisfies Record<string, PageOrder>;
export type PageOrderName = keyof typeof PAGE_ORDERS;

/** Returns the name of the order in which a list is read. */
export function orderNameOf({ selection, sort: { field, descending } }: AlertListing): PageOrderName {
  if (field === 'hostname') {
    const name = descending ? 'hostnameDescending' : 'hostname';
    return isOpen(selection.window) ? name : `${name}InWindow`;
  }
  if (field !== 'timestamp') return field;
  const order = descending ? 'newest' : 'oldest';
  const fields = fieldsToScan(selection);
  return fields === null ? order : `${order}:${fields}`;
}

/**
 * Returns the fields to scan per value in a list by time, of which the query selects few values; null for one scan by time. The alerts
 * of an API key need one scan only, because its index skips other values (`SELECTED_VALUES_OF_KEY`).
 */
function fieldsToScan({ scope, values }: AlertSelection): ScannedFields | null {
  if (scope.apiKeyId !== undefined) return null;
  const count = (field: ValueField) => values[field]?.length ?? Infinity;
  const isBelowLimit = (field: ValueField) =>
    count(field) < VALUE_FIELDS[field].stored.length && count(field) <= MAX_VALUE_SCANS;
  const isPairBelowLimit = count('type') * count('severity') <= MAX_VALUE_SCANS;
  if (isBelowLimit('type') && isBelowLimit('severity') && isPairBelowLimit) return 'type,severity';
  return (['type', 'severity', 'state'] as const).find(isBelowLimit) ?? null;
}

/** Returns whether the cost of a list depends on the page size only, because no rows outside of the page are read. */
export function isCostBySize(listing: AlertListing): boolean {
  const { window, values, texts } = listing.selection;
  const { scannedFields } = PAGE_ORDERS[orderNameOf(listing)];
  const skipsRows = VALUE_FIELD_NAMES.some(
    (field) => values[field] !== null && !scannedFields.includes(field),
  );
  // PostgreSQL sorts the rows of a window by hostname.
  const sortsRows = listing.sort.field === 'hostname' && !isOpen(window);
  return texts === null && !skipsRows && !sortsRows;
}

/**
 * Returns whether the order has a statement for the range. The alerts of an API key are scanned once by time (`fieldsToScan`), so they
 * have no `SCANNED_ORDERS`.
 */
export function hasPages(name: PageOrderName, range: Range): boolean {
  return range !== 'apiKey' || !(name in SCANNED_ORDERS);
}
