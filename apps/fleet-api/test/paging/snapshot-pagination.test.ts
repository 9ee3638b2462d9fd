import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '@gpu-observatory/domain-types';
import { type OwnedAlert, selectAlerts } from '../support/alert-oracle.ts';
import { type AlertPage, EVERYTHING_OF_CUSTOMER_1, getPage, walk } from '../support/alert-pagination.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { alertRecord, alertStateRecord, listItem, minutesAgo } from '../support/records.ts';

let fleet: FleetService;

beforeEach(async () => {
  fleet = await startFleetService();
});

afterEach(() => fleet.stop());

/** `npm run walks` sets it to 100; then 1,000 alerts a second come in, and 400 states change, while they last. */
const WALKS = Number(process.env['WALKS'] ?? 0);
const FULL = WALKS > 0;
const COUNT = FULL ? 5_000 : 400;
const BATCH = FULL ? { alerts: 500, states: 200, everyMs: 500 } : { alerts: 20, states: 40, everyMs: 0 };

const alertsOf = (pages: AlertPage[]) => pages.flatMap((page) => page.alerts);
const SAME_TIME = minutesAgo(10);
/** Those of `state` first: it changes underneath. */
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

it('serves what page 1 saw, while alerts come in before, between and beside those on the way', async () => {
  const records = [2, 4, 6, 8].map((n) => alertRecord(n, n > 4 ? { created_at: SAME_TIME } : {}));
  await fleet.import(records);
  let n = 100;
  let between = 1;
  const pages = await walk(fleet, [1], {
    between: () =>
      fleet.import([
        alertRecord(n++, { created_at: minutesAgo(0) }),
        alertRecord(n++, { created_at: minutesAgo(3) }),
        alertRecord(n++, { created_at: SAME_TIME }),
        // Sorts before those of the same time that are still to come.
        alertRecord((between += 2), { created_at: SAME_TIME }),
        alertRecord(n++, { created_at: minutesAgo(60) }),
      ]),
  });
  expect(alertsOf(pages)).toEqual(records.map(listItem));
  expect((await getPage(fleet)).total_size).toBe(4 + 5 * 3);
});

it.each([
  {},
  { sort: 'state' },
  { sort: '-state' },
  { sort: 'hostname', 'filter[state][equals]': 'active' },
  { sort: '-severity', 'filter[state][notIn]': 'active', 'filter[title][contains]': 'ALERT' },
] as Record<string, string>[])(
  'serves page 1’s states by %p, though they change to and fro between pages',
  async (query) => {
    const numbers = [1, 2, 3, 4, 5, 6];
    const records = numbers.map((n) => alertRecord(n, { state: n % 2 === 0 ? 'ignored' : 'active' }));
    await fleet.import(records);
    const access = EVERYTHING_OF_CUSTOMER_1;
    const expected = selectAlerts(
      records.map((record) => ({ ...listItem(record), customer_id: 1 })),
      access,
      query,
    );
    let changes = 0;
    const pages = await walk(fleet, [1], {
      query,
      between: () => {
        changes += 1;
        return fleet.import(
          // Every alert on odd turns, some back on even ones, and twice within one import.
          numbers
            .filter((n) => changes % 2 === 1 || n % 3 === 0)
            .flatMap((n) => {
              const to = (changes + n) % 2 === 0 ? 'ignored' : 'active';
              const fro = to === 'active' ? 'ignored' : 'active';
              return [alertStateRecord(n, to), alertStateRecord(n, fro), alertStateRecord(n, to)];
            }),
        );
      },
    });
    expect(pages[0]?.total_size).toBe(expected.length);
    expect(alertsOf(pages).map(({ id, state }) => [id, state])).toEqual(
      expected.map(({ id, state }) => [id, state]),
    );
    const now = await walk(fleet, [2]);
    expect(alertsOf(now).map(({ state }) => state)).not.toEqual(
      records.map((record) => listItem(record).state),
    );
  },
);

it('holds for several customers and listed workspaces at once', async () => {
  const access: Access = [
    { customer_id: 1, workspace_ids: [10, 11] },
    { customer_id: 2, workspace_ids: 'all' },
  ];
  const record = (n: number) =>
    alertRecord(n, { customer_id: 1 + (n % 2), workspace_id: [10, 11, 12, null][n % 4] });
  const records = Array.from({ length: 24 }, (_unused, n) => record(n + 1));
  await fleet.import(records);
  // Customer 1's alerts are the even ones, of the workspaces 10 and 12.
  const visible = records.map(listItem).filter(({ workspace_id }) => workspace_id !== 12);
  let n = 100;
  const pages = await walk(fleet, [3, 1, 2], {
    access,
    between: () =>
      fleet.import([
        record(n++),
        record(n++),
        ...[1, 2, 3, 4].map((k) =>
          alertStateRecord(k + (n % 20), n % 3 ? 'ignored' : 'active', 1 + ((k + n) % 2)),
        ),
      ]),
  });
  expect(alertsOf(pages)).toEqual(visible);
  expect(pages[0]?.total_size).toBe(visible.length);
});

it('gives a customer that appears during the walk no place in it', async () => {
  await fleet.import([1, 2, 3].map((n) => alertRecord(n)));
  const access: Access = [...EVERYTHING_OF_CUSTOMER_1, { customer_id: 2, workspace_ids: 'all' }];
  let n = 50;
  const pages = await walk(fleet, [1], {
    access,
    between: () => fleet.import([alertRecord(n++, { customer_id: 2 })]),
  });
  expect(alertsOf(pages).map(({ title }) => title)).toEqual(['Alert 1', 'Alert 2', 'Alert 3']);
});

it('goes on when more has changed since page 1 than is sorted at once', async () => {
  const numbers = Array.from({ length: 4_100 }, (_unused, n) => n + 1);
  const created_at = minutesAgo(5);
  await fleet.import(numbers.map((n) => alertRecord(n, { created_at, state: n % 4 ? 'active' : 'ignored' })));
  const query = { sort: 'state' };
  let changed = false;
  const pages = await walk(fleet, [1_500], {
    query,
    between: async () => {
      if (!changed) await fleet.import(numbers.map((n) => alertStateRecord(n, n % 4 ? 'ignored' : 'active')));
      changed = true;
    },
  });
  const served = alertsOf(pages).map((alert) => ({ ...alert, customer_id: 1 }));
  expect(served).toHaveLength(numbers.length);
  expect(served.filter(({ state }) => state === 'ignored')).toHaveLength(1_025);
  expect(served).toEqual(selectAlerts(served, EVERYTHING_OF_CUSTOMER_1, query));
});

it('loses nothing and repeats nothing in any order while an importer runs beside many walks', async () => {
  const count = COUNT;
  await fleet.import(
    Array.from({ length: count }, (_unused, n) =>
      // Ten at a time share a moment.
      alertRecord(n + 1, {
        created_at: minutesAgo(Math.floor(n / 10) + 1),
        workspace_id: [10, null][n % 2],
        ...varied(n),
      }),
    ),
  );
  let importing = true;
  let away = 0;
  let next = 10_000;
  const begin = Date.now();
  const importer = (async () => {
    for (let turn = 0; importing; turn++) {
      await sleep(Math.max(0, begin + turn * BATCH.everyMs - Date.now()));
      await fleet.import([
        ...Array.from({ length: BATCH.alerts }, (_unused, n) =>
          alertRecord(next++, {
            created_at: minutesAgo((n * 7 + turn) % 45),
            workspace_id: [10, null][n % 2],
            ...varied(n + turn),
          }),
        ),
        ...Array.from({ length: BATCH.states }, (_unused, n) =>
          alertStateRecord(((turn * 37 + n * 11) % count) + 1, (turn + n) % 2 === 0 ? 'ignored' : 'active'),
        ),
      ]);
    }
  })();
  const accesses: Access[] = [EVERYTHING_OF_CUSTOMER_1, [{ customer_id: 1, workspace_ids: [10] }]];
  const until = FULL ? 0 : Date.now() + 4_000;
  let walks = 0;
  const walker = async (seed: number) => {
    while (Date.now() < until || walks < Math.max(WALKS, SORTS.length) || next < 10_120) {
      const turn = walks++;
      const access = accesses[(turn + seed) % 2] as Access;
      const query = { sort: SORTS[turn % SORTS.length] as string, ...FILTERS[turn % FILTERS.length] };
      const sizes = FULL ? [370 + seed, 110 + seed * 400] : [37 + seed, 11 + seed * 40];
      // On a busy machine a page may take longer than 3 s: it is asked again.
      const pages = await walk(fleet, sizes, { access, query, onAway: () => (away += 1) });
      const served = alertsOf(pages);
      expect(new Set(served.map(({ id }) => id)).size).toBe(served.length);
      expect(served.length).toBe(pages[0]?.total_size);
      const owned: OwnedAlert[] = served.map((alert) => ({ ...alert, customer_id: 1 }));
      expect(owned).toEqual(selectAlerts(owned, access, query));
    }
  };
  try {
    await Promise.all([1, 2, 3].map(walker));
  } finally {
    importing = false;
    await importer;
  }
  expect(walks).toBeGreaterThanOrEqual(Math.max(WALKS, SORTS.length));
  expect(next).toBeGreaterThan(10_100);
  if (FULL) {
    const perSecond = ((next - 10_000) / (Date.now() - begin)) * 1_000;
    process.stderr.write(
      `${walks} walks beside ${Math.round(perSecond)} new alerts a second, ${away} pages asked again\n`,
    );
  }
}, 900_000);
