import type { Range } from '../../access/access-scope.ts';
import { byHostname } from './by-hostname.sql.ts';
import { byTime } from './by-time.sql.ts';
import { byValues } from './by-values.sql.ts';
import type { PageOrder, TimeOrder } from './page-order.sql.ts';
import { fieldsOf, SCANNED_FIELDS, type ScannedFields } from './scanned-fields.ts';

const scannedOrders = <Order extends TimeOrder>(order: Order) =>
  Object.fromEntries(
    SCANNED_FIELDS.map((fields) => [`${order}:${fields}`, byValues(fieldsOf(fields), order)]),
  ) as Record<`${Order}:${ScannedFields}`, PageOrder>;

/** Orders by time that scan each selected value of some fields. */
const SCANNED_ORDERS = { ...scannedOrders('newest'), ...scannedOrders('oldest') };

/** All orders: by time, with or without scanned values; by the values of a field; by hostname, with or without a window. */
export const PAGE_ORDERS = {
  newest: byTime('newest'),
  oldest: byTime('oldest'),
  ...SCANNED_ORDERS,
  severity: byValues(['severity'], 'values'),
  type: byValues(['type'], 'values'),
  state: byValues(['state'], 'values'),
  hostname: byHostname({ direction: 'ascending', isWithinWindow: false }),
  hostnameDescending: byHostname({ direction: 'descending', isWithinWindow: false }),
  hostnameInWindow: byHostname({ direction: 'ascending', isWithinWindow: true }),
  hostnameDescendingInWindow: byHostname({ direction: 'descending', isWithinWindow: true }),
} as const satisfies Record<string, PageOrder>;
export type PageOrderName = keyof typeof PAGE_ORDERS;

/**
 * Returns whether the order has a statement for the range. The alerts of an API key are scanned once by time (`scannedByTime`), so they
 * have no `SCANNED_ORDERS`.
 */
export function hasPages(name: PageOrderName, range: Range): boolean {
  return range !== 'apiKey' || !(name in SCANNED_ORDERS);
}
