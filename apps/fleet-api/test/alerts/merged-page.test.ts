import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import type { AlertPage, PagePosition, PageSource } from '../../src/api/alerts/pages/alert-page.ts';
import { mergePage } from '../../src/api/alerts/pages/merged-page.ts';
import { ALERT_DATA } from '../../src/api/data-version/data-version.ts';
import {
  type AlertSort,
  compareSortKeys,
  parseSort,
  type SortKey,
  SORTS,
} from '../../src/api/alerts/order/alert-sorts.ts';

const VALUES: Record<AlertSort['field'], fc.Arbitrary<SortKey[0]>> = {
  timestamp: fc.constant(null),
  severity: fc.integer({ min: 0, max: 4 }),
  state: fc.integer({ min: 0, max: ALERT_STATES.length - 1 }),
  type: fc.constantFrom(...ALERT_TYPES.slice(0, 3)),
  hostname: fc.constantFrom(null, 'a', 'b', '\u{ff61}', '\u{1f600}'),
};

interface Case {
  sort: AlertSort;
  /** Sort keys of the alerts of each customer, in the order of the list. */
  customers: SortKey[][];
  size: number;
  batchRows: number;
}

const cases: fc.Arbitrary<Case> = fc.constantFrom(...SORTS).chain((text) => {
  const sort = parseSort(text);
  const key = fc.tuple(VALUES[sort.field], fc.integer({ min: 0, max: 3 }), fc.uuid());
  return fc.record({
    sort: fc.constant(sort),
    customers: fc
      .array(fc.array(key, { maxLength: 12 }), { minLength: 2, maxLength: 4 })
      .map((customers) => customers.map((keys) => keys.sort(compareSortKeys(sort)))),
    size: fc.integer({ min: 1, max: 20 }),
    batchRows: fc.integer({ min: 1, max: 6 }),
  });
});

/** Returns the list item with a sort key, as JSON. */
function docOf(field: AlertSort['field'], [value, createdAtMs, id]: SortKey): string {
  const fields = {
    timestamp: {},
    severity: { severity: SEVERITIES[Number(value)] },
    state: { state: ALERT_STATES[Number(value)] },
    type: { type: value },
    hostname: { hostname: value },
  };
  return JSON.stringify({ id, created_at: new Date(createdAtMs).toISOString(), ...fields[field] });
}

const idOf = (doc: string) => (JSON.parse(doc) as { id: string }).id;

/** @param maxBytes of the documents, from which a page ends early */
function merge(
  { sort, customers, size, batchRows }: Case,
  start: SortKey | null = null,
  maxBytes = Infinity,
) {
  const batchOf = (customer: number, limit: number, after: SortKey | null): AlertPage => {
    const following = customers[customer]!.filter(
      (key) => after === null || compareSortKeys(sort)(key, after) > 0,
    );
    const keys = following.slice(0, limit);
    return {
      docChunks: keys.map((key) => docOf(sort.field, key)),
      rows: keys.length,
      after: following.length > limit ? (keys.at(-1) ?? null) : null,
      data: {
        kinds: ALERT_DATA,
        seqs: [[customer, 10 + customer]],
        asOfMs: customer,
        changedAtMs: customer,
      },
      total: after === null ? following.length : null,
    };
  };
  const sources = customers.map((_keys, customer): PageSource => ({
    readRows(limit, position, rowsPerChunk) {
      expect(rowsPerChunk).toBe(1);
      if (position !== null && position !== first) {
        expect(position.data.seqs).toEqual([[customer, 10 + customer]]);
      }
      return Promise.resolve(batchOf(customer, limit, position?.after ?? null));
    },
  }));
  const first: PagePosition | null =
    start === null
      ? null
      : { after: start, data: { kinds: ALERT_DATA, seqs: [], asOfMs: 0, changedAtMs: 0 } };
  return mergePage(sources, { sort, size, maxBytes, maxBatchRows: batchRows }, first);
}

it('contains the first alerts of all customers in the order of the list', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const { sort, customers, size } = given;
      const all = customers
        .flatMap((keys) => keys.map((key) => ({ key, doc: docOf(sort.field, key) })))
        .sort((a, b) => compareSortKeys(sort)(a.key, b.key));
      const page = await merge(given);
      expect(page.docChunks).toEqual(all.slice(0, size).map(({ doc }) => doc));
      expect(page.after).toEqual(all.length > size ? all[size - 1]?.key : null);
      expect(page.total).toBe(all.length);
      expect(page.data.seqs).toEqual(customers.map((_keys, customer) => [customer, 10 + customer]));
      expect(page.data.asOfMs).toBe(customers.length - 1);
    }),
  );
});

it('returns each alert once over all pages, of which some end early', async () => {
  let earlyEnds = 0;
  await fc.assert(
    fc.asyncProperty(cases, fc.integer({ min: 1, max: 1_000 }), async (given, maxBytes) => {
      const { sort, customers, size } = given;
      const all = customers.flat().sort(compareSortKeys(sort));
      const found: string[] = [];
      let last: SortKey | null = null;
      for (;;) {
        const page = await merge(given, last, maxBytes);
        found.push(...page.docChunks.map(idOf));
        if (page.after === null) break;
        expect(page.rows).toBeGreaterThan(0);
        if (page.rows < size) earlyEnds += 1;
        last = page.after;
      }
      expect(found).toEqual(all.map(([, , id]) => id));
    }),
  );
  expect(earlyEnds).toBeGreaterThan(0);
});

it.each([
  ['hostname', 'a', null],
  ['-hostname', 'a', null],
  ['-hostname', '\u{1f600}', '\u{ff61}'],
  ['severity', 0, 1],
  ['-severity', 1, 0],
  ['-type', 'b', 'a'],
])('sorts by %s: %j before %j', (sort, first, second) => {
  const compare = compareSortKeys(parseSort(sort));
  expect(compare([first, 0, 'a'], [second, 0, 'a'])).toBeLessThan(0);
  expect(compare([second, 0, 'a'], [first, 0, 'a'])).toBeGreaterThan(0);
});

it.each([
  ['timestamp', 1, 2],
  ['-timestamp', 2, 1],
  ['severity', 2, 1],
  ['-severity', 2, 1],
])('sorts equal values by time, and then by id: %s', (sort, first, second) => {
  const compare = compareSortKeys(parseSort(sort));
  expect(compare([null, first, 'b'], [null, second, 'a'])).toBeLessThan(0);
  expect(compare([null, 1, 'a'], [null, 1, 'b'])).toBeLessThan(0);
});
