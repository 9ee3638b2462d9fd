import { parseSelection } from '../../src/api/alerts/filters/alert-selection.ts';
import { parseSort, type SortKey, SORTS } from '../../src/api/alerts/order/alert-sorts.ts';
import { orderNameOf, PAGE_ORDERS } from '../../src/api/alerts/order/page-orders.ts';
import { uuid } from '../support/records.ts';

const WINDOW = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const VALUES: Record<string, SortKey[0]> = {
  timestamp: null,
  severity: 0,
  state: 0,
  type: 'gpu_thermal',
  hostname: 'host-1',
};

/** Returns the times that the scans start after. */
function boundsOf(sort: string, after: SortKey | null): (number | undefined)[] {
  const listing = { sort: parseSort(sort), selection: parseSelection(WINDOW) };
  const parameters = PAGE_ORDERS[orderNameOf(listing)].parameters(listing, after);
  const { afterAt, scannedAfterAts = [], lastHostnameAfterAt } = parameters;
  return [afterAt ?? scannedAfterAts[0] ?? lastHostnameAfterAt].map((at) => at?.getTime());
}

it.each(SORTS)('starts a page within the window, whatever the page token contains: %s', (sort) => {
  const value = VALUES[sort.replace('-', '')] as SortKey[0];
  const first = boundsOf(sort, null);
  const outside = sort === 'timestamp' ? '2025-12-01T00:00:00Z' : '2026-03-01T00:00:00Z';
  expect(boundsOf(sort, [value, Date.parse(outside), uuid(1)])).toEqual(first);
  const inside = Date.parse('2026-01-15T00:00:00Z');
  expect(boundsOf(sort, [value, inside, uuid(1)])).toEqual([inside]);
});

it('scans the values of a filter one by one, but the alerts of an API key by time', () => {
  const filters = { 'filter[severity][in]': 'high,critical' };
  const nameOf = (query: object) =>
    orderNameOf({ sort: parseSort('-timestamp'), selection: parseSelection(query) });
  expect(nameOf(filters)).toBe('newest:severity');
  expect(nameOf({ ...filters, api_key_id: '7' })).toBe('newest');
});
