import type { Range } from '../../access/tenant-statement.ts';
import type { ValueField } from '../value-fields.ts';
import { byHostname } from './by-hostname.sql.ts';
import { byTime } from './by-time.sql.ts';
import { byValues } from './by-values.sql.ts';
import type { PageOrder } from './page-order.sql.ts';

/** Combinations of filter fields that an index starts with: a list by time scans each selected value, where they are few. */
export const SCANNED_FIELDS = ['severity', 'type', 'type,severity', 'state'] as const;
export type ScannedFields = (typeof SCANNED_FIELDS)[number];

export const fieldsOf = (fields: ScannedFields) => fields.split(',') as ValueField[];

const scannedOrders = <Direction extends 'newest' | 'oldest'>(direction: Direction) =>
  Object.fromEntries(
    SCANNED_FIELDS.map((fields) => [`${direction}:${fields}`, byValues(fieldsOf(fields), direction)]),
  ) as Record<`${Direction}:${ScannedFields}`, PageOrder>;

/** Orders by time of scanned values. */
const SCANNED_ORDERS = { ...scannedOrders('newest'), ...scannedOrders('oldest') };

/** All orders: by time, also of scanned values; by the values of a field; by hostname, of all time or within a window. */
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
  return range !== 'key' || !(name in SCANNED_ORDERS);
}
