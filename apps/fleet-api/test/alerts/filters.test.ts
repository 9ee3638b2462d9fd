import type { Access } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import {
  type AlertParameters,
  ALL_GROUPINGS,
  countBy,
  groupAlerts,
  type OwnedAlert,
  selectAlerts,
} from '../support/alert-oracle.ts';
import { getPage, paginate } from '../support/alert-pagination.ts';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import {
  accessArbitrary,
  sampleAlerts,
  searchArbitrary,
  selectionArbitrary,
  sortArbitrary,
} from '../support/random-alert-queries.ts';
import { alertStateRecord } from '../support/records.ts';

const NIGHTLY_SEED = process.env['NIGHTLY_SEED'];
const RUNS = NIGHTLY_SEED ? 2_000 : 20;
const SEED = Number(NIGHTLY_SEED ?? Date.now() % 1_000_000);
const NOW_MS = Date.now();
const ALERTS: OwnedAlert[] = sampleAlerts(400, SEED, NOW_MS);

const fleet = useFleetService();

beforeAll(async () => {
  // Half of them change their state once, so that past states exist.
  await fleet.import(
    ALERTS.map((alert, n) => ({
      kind: 'alert',
      ...alert,
      state: n % 2 === 0 ? alert.state : alert.state === 'active' ? 'ignored' : 'active',
    })),
  );
  await fleet.import(
    ALERTS.filter((_alert, n) => n % 2 === 1).map(({ id, state, customer_id }) => ({
      ...alertStateRecord(0, state, customer_id),
      alert_id: id,
    })),
  );
});

test(
  `every filter, search, window, scope and sort selects what the oracle selects, page by page (seed ${SEED})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        accessArbitrary,
        selectionArbitrary(NOW_MS),
        sortArbitrary,
        searchArbitrary,
        fc.integer({ min: 1, max: 200 }),
        async (access, selection, sort, search, size) => {
          const query = { ...selection, ...search, ...(sort === undefined ? {} : { sort }) };
          const expected = selectAlerts(ALERTS, access, query);
          const pages = await paginate(fleet, [Math.max(size, Math.ceil(expected.length / 4)), 10_000], {
            access,
            query,
          });
          expect(pages.flatMap((page) => page.alerts.map(({ id }) => id))).toEqual(
            expected.map(({ id }) => id),
          );
          expect(pages[0]?.total_size).toBe(expected.length);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  },
  300_000 + RUNS * 1_000,
);

/** Removes the filters on one column. */
function without(column: string, query: AlertParameters): AlertParameters {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith(`filter[${column}]`)));
}

test(
  `summary and trend count what the oracle counts, and sum to the list's total (seed ${SEED})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(accessArbitrary, selectionArbitrary(NOW_MS), async (access, query) => {
        const text = new URLSearchParams(query).toString();
        const response = async <Body>(path: string, operation: string) =>
          bodyOf<Body>(await fleet.get(`/api/v1/${path}?${text}`, access), operation);
        const { summary } = await response<Summary>('alerts:summary', 'summarizeAlerts');
        for (const column of ['severity', 'type', 'state'] as const) {
          expect(summary[column]).toEqual(
            countBy(selectAlerts(ALERTS, access, without(column, query)), column),
          );
        }
        const selected = selectAlerts(ALERTS, access, query);
        const { points } = await response<Trend>('alerts:severityTrend', 'trendAlerts');
        expect(points).toEqual(trendOf(selected, access, query));

        const total = (await getPage(fleet, { ...query, page_size: 1 }, access)).total_size;
        const chosen = countBy(selected, 'severity').map(({ value }) => value);
        const ofSummary = summary.severity.filter(({ value }) => chosen.includes(value));
        const sum = (counts: { count: number }[]) => counts.reduce((all, { count }) => all + count, 0);
        expect([total, sum(ofSummary), sum(points)]).toEqual(Array(3).fill(selected.length));
      }),
      { numRuns: Math.ceil(RUNS / 2), seed: SEED },
    );
  },
  300_000 + RUNS * 1_000,
);

test(
  `groups count what the oracle counts (seed ${SEED})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        accessArbitrary,
        selectionArbitrary(NOW_MS),
        searchArbitrary,
        fc.constantFrom(1, 3, 1_000),
        async (access, selection, search, size) => {
          const query = { ...selection, ...search };
          for (const groupBy of ALL_GROUPINGS) {
            const text = new URLSearchParams({ ...query, group_by: groupBy, page_size: String(size) });
            const body = await bodyOf(
              await fleet.get(`/api/v1/alerts:groups?${text.toString()}`, access),
              'groupAlerts',
            );
            expect(body).toEqual(groupAlerts(selectAlerts(ALERTS, access, query), groupBy, size));
          }
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  },
  300_000 + RUNS * 1_000,
);

type Counts = { value: string; count: number }[];
interface Summary {
  summary: { severity: Counts; type: Counts; state: Counts };
}
interface Trend {
  points: { bucket: string; severity: string; count: number }[];
}

/** Hours for windows up to 72 h, else days. An open window starts with the first alert in scope. */
function trendOf(selected: OwnedAlert[], access: Access, query: AlertParameters): Trend['points'] {
  const scope = ['customer_id', 'workspace_id', 'api_key_id'];
  const inScope = selectAlerts(
    ALERTS,
    access,
    Object.fromEntries(Object.entries(query).filter(([name]) => scope.includes(name))),
  );
  const times = (names: string[]) =>
    names.flatMap((name) => (query[name] === undefined ? [] : [Date.parse(query[name])]));
  const begins = times(['from', 'filter[timestamp][gte]']);
  const ends = [...times(['to']), ...times(['filter[timestamp][lte]']).map((ms) => ms + 1)];
  const earliest = inScope.map(({ created_at }) => Date.parse(created_at));
  const from = begins.length > 0 ? Math.max(...begins) : Math.min(...earliest, Date.now());
  const to = ends.length > 0 ? Math.min(...ends) : Date.now();
  const head = to - from <= 72 * 3_600_000 ? 13 : 10;
  const rest = head === 13 ? ':00:00.000Z' : 'T00:00:00.000Z';
  const buckets = Map.groupBy(selected, ({ created_at }) => created_at.slice(0, head) + rest);
  return [...buckets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([bucket, alerts]) =>
      countBy(alerts, 'severity').map(({ value, count }) => ({ bucket, severity: value, count })),
    );
}
