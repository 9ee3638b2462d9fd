import { setTimeout as sleep } from 'node:timers/promises';
import type { Access, AlertState } from '@gpu-observatory/domain-types';
import { TEXT_FIELDS } from '../../src/api/alerts/filters/alert-filters.ts';
import { VALUE_FIELD_NAMES, VALUE_FIELDS } from '../../src/api/alerts/value-fields.ts';
import { type OwnedAlert, selectAlerts } from '../support/alert-oracle.ts';
import { type AlertPage, getPage, paginate } from '../support/alert-pagination.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, alertStateRecord, listItem, minutesAgo, uuid } from '../support/records.ts';

const fleet = useFleetService();

/** Each test has this customer and the next one to itself. */
let customer = -1;
let everything: Access;
beforeEach(() => {
  customer += 2;
  everything = [{ customer_id: customer, workspace_ids: 'all' }];
});

const newAlert = (n: number, more: object = {}) => alertRecord(n, { customer_id: customer, ...more });
const newState = (n: number, state: AlertState, of = customer) => alertStateRecord(n, state, of);
const pagesOf = (sizes: number[], options: Parameters<typeof paginate>[2] = {}) =>
  paginate(fleet, sizes, { access: everything, ...options });

/** At night, 1,000 alerts are imported and 400 states change per second. */
const FULL = process.env['NIGHTLY_SEED'] !== undefined;
const PAGINATIONS = FULL ? 100 : 10;
const COUNT = FULL ? 5_000 : 400;
const BATCH = FULL ? { alerts: 500, states: 200, everyMs: 500 } : { alerts: 20, states: 40, everyMs: 0 };

const alertsOf = (pages: AlertPage[]) => pages.flatMap((page) => page.alerts);
const SAME_TIME = minutesAgo(10);
/** `state` first, since states change during the test. */
const SORTS = [
  'state',
  '-state',
  'severity',
  '-hostname',
  'type',
  'timestamp',
  '-severity',
  'hostname',
  '-type',
  '-timestamp',
];
const FILTERS = [{}, { 'filter[state][equals]': 'active' }, { 'filter[severity][in]': 'critical,low' }];
const varied = (n: number) => ({
  severity: ['critical', 'low', 'info'][n % 3],
  type: ['gpu_ecc', 'gpu_dma', 'vm_escape', 'cpu_usage'][n % 4],
  hostname: [null, 'a', 'b', 'B'][(n * 7) % 4],
});

it('serves the alerts of the first page’s snapshot while others are imported', async () => {
  const records = [2, 4, 6, 8].map((n) => newAlert(n, n > 4 ? { created_at: SAME_TIME } : {}));
  await fleet.import(records);
  let n = 100;
  let between = 1;
  const pages = await pagesOf([1], {
    between: () =>
      fleet.import([
        newAlert(n++, { created_at: minutesAgo(0) }),
        newAlert(n++, { created_at: minutesAgo(3) }),
        newAlert(n++, { created_at: SAME_TIME }),
        // Sorts before the remaining alerts of the same time.
        newAlert((between += 2), { created_at: SAME_TIME }),
        newAlert(n++, { created_at: minutesAgo(60) }),
      ]),
  });
  expect(alertsOf(pages)).toEqual(records.map(listItem));
  expect((await getPage(fleet, {}, everything)).total_size).toBe(4 + 5 * 3);
});

it.each([
  {},
  { sort: 'state' },
  { sort: '-state' },
  { sort: 'hostname', 'filter[state][equals]': 'active' },
  { sort: '-severity', 'filter[state][notIn]': 'active', 'filter[title][contains]': 'ALERT' },
] as Record<string, string>[])(
  'serves the states of the first page by %p while they change back and forth between pages',
  async (query) => {
    const numbers = [1, 2, 3, 4, 5, 6];
    const records = numbers.map((n) => newAlert(n, { state: n % 2 === 0 ? 'ignored' : 'active' }));
    await fleet.import(records);
    const expected = selectAlerts(
      records.map((record) => ({ ...listItem(record), customer_id: customer })),
      everything,
      query,
    );
    let changes = 0;
    const pages = await pagesOf([1], {
      query,
      between: () => {
        changes += 1;
        return fleet.import(
          // Every alert on odd turns, some back on even ones, each twice within one import.
          numbers
            .filter((n) => changes % 2 === 1 || n % 3 === 0)
            .flatMap((n) => {
              const to = (changes + n) % 2 === 0 ? 'ignored' : 'active';
              const fro = to === 'active' ? 'ignored' : 'active';
              return [newState(n, to), newState(n, fro), newState(n, to)];
            }),
        );
      },
    });
    expect(pages[0]?.total_size).toBe(expected.length);
    expect(alertsOf(pages).map(({ id, state }) => [id, state])).toEqual(
      expected.map(({ id, state }) => [id, state]),
    );
    const now = await pagesOf([2]);
    expect(alertsOf(now).map(({ state }) => state)).not.toEqual(
      records.map((record) => listItem(record).state),
    );
  },
);

it('applies every filter and sort to later pages after states have changed', async () => {
  await fleet.import([newAlert(1, { hostname: 'node-1' }), newAlert(2, { hostname: 'node-1' })]);
  const queries = [
    ...VALUE_FIELD_NAMES.map((field) => ({ [`filter[${field}][in]`]: VALUE_FIELDS[field].values.join(',') })),
    ...TEXT_FIELDS.map((field) => ({ [`filter[${field}][notEquals]`]: 'another text' })),
    ...SORTS.map((sort) => ({ sort })),
  ];
  for (const [n, query] of queries.entries()) {
    const state = n % 2 === 0 ? 'ignored' : 'active';
    const pages = await pagesOf([1], {
      query,
      between: () => fleet.import([newState(1, state), newState(2, state)]),
    });
    const served = alertsOf(pages).map(({ id }) => id);
    expect([query, served.sort()]).toEqual([query, [uuid(1), uuid(2)]]);
  }
});

it('serves a snapshot over several customers and listed workspaces', async () => {
  const access: Access = [
    { customer_id: customer, workspace_ids: [10, 11] },
    { customer_id: customer + 1, workspace_ids: 'all' },
  ];
  const record = (n: number) =>
    newAlert(n, { customer_id: customer + (n % 2), workspace_id: [10, 11, 12, null][n % 4] });
  const records = Array.from({ length: 24 }, (_unused, n) => record(n + 1));
  await fleet.import(records);
  // The first customer has the even alerts, in workspaces 10 and 12.
  const visible = records.map(listItem).filter(({ workspace_id }) => workspace_id !== 12);
  let n = 100;
  const pages = await pagesOf([3, 1, 2], {
    access,
    between: () =>
      fleet.import([
        record(n++),
        record(n++),
        ...[1, 2, 3, 4].map((k) =>
          newState(k + (n % 20), n % 3 ? 'ignored' : 'active', customer + ((k + n) % 2)),
        ),
      ]),
  });
  expect(alertsOf(pages)).toEqual(visible);
  expect(pages[0]?.total_size).toBe(visible.length);
});

it('excludes customers whose first import is after the first page', async () => {
  await fleet.import([1, 2, 3].map((n) => newAlert(n)));
  const access: Access = [...everything, { customer_id: customer + 1, workspace_ids: 'all' }];
  let n = 50;
  const pages = await pagesOf([1], {
    access,
    between: () => fleet.import([newAlert(n++, { customer_id: customer + 1 })]),
  });
  expect(alertsOf(pages).map(({ title }) => title)).toEqual(['Alert 1', 'Alert 2', 'Alert 3']);
});

it('serves a snapshot when more states have changed than the threshold of one read', async () => {
  const numbers = Array.from({ length: 4_100 }, (_unused, n) => n + 1);
  const created_at = minutesAgo(5);
  await fleet.import(numbers.map((n) => newAlert(n, { created_at, state: n % 4 ? 'active' : 'ignored' })));
  const query = { sort: 'state' };
  let changed = false;
  const pages = await pagesOf([1_500], {
    query,
    between: async () => {
      if (!changed) await fleet.import(numbers.map((n) => newState(n, n % 4 ? 'ignored' : 'active')));
      changed = true;
    },
  });
  const served = alertsOf(pages).map((alert) => ({ ...alert, customer_id: customer }));
  expect(served).toHaveLength(numbers.length);
  expect(served.filter(({ state }) => state === 'ignored')).toHaveLength(1_025);
  expect(served).toEqual(selectAlerts(served, everything, query));
});

it('serves one snapshot in large pages, in any sort, while states change', async () => {
  const numbers = Array.from({ length: 2_400 }, (_unused, n) => n + 1);
  await fleet.import(
    numbers.map((n) =>
      // Ten alerts share each time.
      newAlert(n, { created_at: minutesAgo(Math.floor(n / 10) + 1), ...varied(n) }),
    ),
  );
  let [running, turn, next] = [true, 0, 10_000];
  const importer = (async () => {
    for (; running; turn++) {
      const changed = numbers.filter((n) => n % 50 === turn % 50);
      await fleet.import([
        ...changed.map((n) => newState(n, turn % 3 === 0 ? 'active' : 'ignored')),
        ...changed.map((n) => newAlert(next++, { created_at: minutesAgo(n / 20), ...varied(n) })),
      ]);
    }
  })();
  try {
    for (const sort of FULL ? SORTS : SORTS.slice(0, 2)) {
      const pages = await pagesOf([1_800, 1_100], { query: { sort } });
      const served = alertsOf(pages);
      expect(new Set(served.map(({ id }) => id)).size).toBe(served.length);
      expect(pages.map(({ alerts }) => alerts.length).slice(0, 2)).toEqual([1_800, expect.any(Number)]);
      expect(served.length).toBe(pages[0]?.total_size);
      const owned: OwnedAlert[] = served.map((alert) => ({ ...alert, customer_id: customer }));
      expect(owned).toEqual(selectAlerts(owned, everything, { sort }));
    }
  } finally {
    running = false;
    await importer;
  }
}, 300_000);

it('loses and repeats no alert in any sort while an importer runs', async () => {
  const count = COUNT;
  await fleet.import(
    Array.from({ length: count }, (_unused, n) =>
      // Ten alerts share each time.
      newAlert(n + 1, {
        created_at: minutesAgo(Math.floor(n / 10) + 1),
        workspace_id: [10, null][n % 2],
        ...varied(n),
      }),
    ),
  );
  let importing = true;
  let retries = 0;
  let next = 10_000;
  const startedAt = Date.now();
  const importer = (async () => {
    for (let turn = 0; importing; turn++) {
      await sleep(Math.max(0, startedAt + turn * BATCH.everyMs - Date.now()));
      await fleet.import([
        ...Array.from({ length: BATCH.alerts }, (_unused, n) =>
          newAlert(next++, {
            created_at: minutesAgo((n * 7 + turn) % 45),
            workspace_id: [10, null][n % 2],
            ...varied(n + turn),
          }),
        ),
        ...Array.from({ length: BATCH.states }, (_unused, n) =>
          newState(((turn * 37 + n * 11) % count) + 1, (turn + n) % 2 === 0 ? 'ignored' : 'active'),
        ),
      ]);
    }
  })();
  const accesses: Access[] = [everything, [{ customer_id: customer, workspace_ids: [10] }]];
  let paginations = 0;
  const paginator = async (seed: number) => {
    while (paginations < PAGINATIONS || next < 10_120) {
      const turn = paginations++;
      const access = accesses[(turn + seed) % 2] as Access;
      const query = { sort: SORTS[turn % SORTS.length] as string, ...FILTERS[turn % FILTERS.length] };
      const sizes = FULL ? [370 + seed, 110 + seed * 400] : [37 + seed, 11 + seed * 40];
      // On a busy machine a page may exceed the timeout of 3 s; it is requested again.
      const pages = await pagesOf(sizes, { access, query, onUnavailable: () => (retries += 1) });
      const served = alertsOf(pages);
      expect(new Set(served.map(({ id }) => id)).size).toBe(served.length);
      expect(served.length).toBe(pages[0]?.total_size);
      const owned: OwnedAlert[] = served.map((alert) => ({ ...alert, customer_id: customer }));
      expect(owned).toEqual(selectAlerts(owned, access, query));
    }
  };
  try {
    await Promise.all([1, 2, 3].map(paginator));
  } finally {
    importing = false;
    await importer;
  }
  expect(paginations).toBeGreaterThanOrEqual(PAGINATIONS);
  expect(next).toBeGreaterThan(10_100);
  if (FULL) {
    const perSecond = ((next - 10_000) / (Date.now() - startedAt)) * 1_000;
    process.stderr.write(
      `${paginations} paginations with ${Math.round(perSecond)} new alerts per second, ${retries} pages retried\n`,
    );
  }
}, 900_000);
