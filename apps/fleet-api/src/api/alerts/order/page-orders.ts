import type { Range } from '../../access/tenant-statement.ts';
import type { ValueField } from '../value-fields.ts';
import { byHostname } from './by-hostname.sql.ts';
import { byTime } from './by-time.sql.ts';
import { byValues } from './by-values.sql.ts';
import type { PageOrder } from './page-order.sql.ts';

/** Fields that a list by time scans value by value where a filter selects few of them: an index starts with these fields. */
export const SCANNED_FIELDS = ['severity', 'type', 'type,severity', 'state'] as const;
export type ScannedFields = (typeof SCANNED_FIELDS)[number];

export const fieldsOf = (fields: ScannedFields) => fields.split(',') as ValueField[];

const byTimeOfValues = <Direction extends 'newest' | 'oldest'>(direction: Direction) =>
  Object.fromEntries(
    SCANNED_FIELDS.map((fields) => [`${direction}:${fields}`, byValues(fieldsOf(fields), direction)]),
  ) as Record<`${Direction}:${ScannedFields}`, PageOrder>;

/** All orders: by time, also of scanned values; by the values of a field; by hostname, of all time or within a window. */
export const PAGE_ORDERS = {
  newest: byTime(true),
  oldest: byTime(false),
  ...byTimeOfValues('newest'),
  ...byTimeOfValues('oldest'),
  severity: byValues(['severity'], 'values'),
  type: byValues(['type'], 'values'),
  state: byValues(['state'], 'values'),
  hostname: byHostname(false, false),
  hostnameDescending: byHostname(true, false),
  hostnameInWindow: byHostname(false, true),
  hostnameDescendingInWindow: byHostname(true, true),
} as const satisfies Record<string, PageOrder>;
export type PageOrderName = keyof typeof PAGE_ORDERS;

/** Returns whether a statement has pages of a range in an order: the alerts of an API key are scanned once by time (`scannedByTime`). */
export function hasPages(name: PageOrderName, range: Range): boolean {
  return range !== 'key' || !name.includes(':');
}
