import fc from 'fast-check';
import { type OwnedAlert, selectAlerts } from '../support/alert-oracle.ts';
import { walk } from '../support/alert-walk.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import {
  accessArbitrary,
  sampleAlerts,
  selectionArbitrary,
  sortArbitrary,
} from '../support/random-alert-queries.ts';
import { alertStateRecord } from '../support/records.ts';

/** `npm run oracle` sets it to 10,000. */
const RUNS = Number(process.env['ORACLE_QUERIES'] ?? 150);
const SEED = Number(process.env['ORACLE_SEED'] ?? Date.now() % 1_000_000);
const NOW_MS = Date.now();
const ALERTS: OwnedAlert[] = sampleAlerts(400, SEED, NOW_MS);

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
  // Half of them were another state first, so that past states are there too.
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

afterAll(() => fleet.stop());

test(
  `every filter, window, scope and sort selects what the oracle selects, page by page (seed ${SEED})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        accessArbitrary,
        selectionArbitrary(NOW_MS),
        sortArbitrary,
        fc.integer({ min: 1, max: 200 }),
        async (access, selection, sort, size) => {
          const query = { ...selection, ...(sort === undefined ? {} : { sort }) };
          const expected = selectAlerts(ALERTS, access, query);
          const pages = await walk(fleet, [Math.max(size, Math.ceil(expected.length / 4)), 10_000], {
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
  20_000 + RUNS * 200,
);
