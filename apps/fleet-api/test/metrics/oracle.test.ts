import type { Access } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { DAY_MS } from '@gpu-observatory/domain-types';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { importBatches } from '../support/import-records.ts';
import { MetricsOracle, type OracleQuery } from '../support/metrics-oracle.ts';
import { type AnyRecord, FLEET_DAYS, fleetArbitrary } from '../support/random-fleets.ts';

const NIGHTLY_SEED = process.env['NIGHTLY_SEED'];
const QUERIES = NIGHTLY_SEED ? 2_000 : 20;
const SEED = Number(NIGHTLY_SEED ?? Date.now() % 1_000_000);
const QUERIES_OF_A_FLEET = Math.ceil(Math.sqrt(QUERIES));
const NOW_MS = Date.now();
const START_MS = Math.floor(NOW_MS / DAY_MS) * DAY_MS - FLEET_DAYS * DAY_MS;

const fleet = useFleetService();
const time = fc.oneof(
  fc
    .integer({ min: -2 * 24, max: (FLEET_DAYS + 2) * 24 })
    .map((hours) => START_MS + hours * 3_600_000 + 1_234),
  fc.integer({ min: -2, max: FLEET_DAYS + 1 }).map((days) => START_MS + days * DAY_MS),
);

function queryArbitrary(firstCustomer: number): fc.Arbitrary<OracleQuery> {
  const workspaces = fc.oneof(fc.constant('all' as const), fc.subarray([1, 2, 3]));
  const access: fc.Arbitrary<Access> = fc
    .tuple(workspaces, fc.option(workspaces, { nil: undefined }))
    .map(([first, second]) => [
      { customer_id: firstCustomer, workspace_ids: first },
      ...(second === undefined ? [] : [{ customer_id: firstCustomer + 1, workspace_ids: second }]),
    ]);
  const scope = fc.record(
    {
      customer_id: fc.constantFrom(firstCustomer, firstCustomer + 1, 9_999),
      workspace_id: fc.constantFrom(1, 2, 3),
      api_key_id: fc.constantFrom(71, 72),
    },
    { requiredKeys: [] },
  );
  const narrowed = fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 3, arbitrary: scope });
  return fc.tuple(access, time, time, narrowed).map(([who, a, b, filter]) => ({
    access: who,
    from: Math.min(a, b),
    to: Math.max(a, b),
    ...filter,
  }));
}

let customers = 1;

test(
  `metrics equal those of the oracle for any fleet, window and scope (seed ${SEED})`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 50 }), async (seed, batchSize) => {
        const first = (customers += 2);
        const [records] = fc.sample(fleetArbitrary(first, START_MS), { numRuns: 1, seed }) as [AnyRecord[]];
        const batches: AnyRecord[][] = [];
        for (let start = 0; start < records.length; start += batchSize * 10)
          batches.push(records.slice(start, start + batchSize * 10));
        const imported = await importBatches(fleet.database.importerUrl, batches);
        expect(imported.rejects).toEqual([]);
        const oracle = new MetricsOracle(records);
        for (const query of fc.sample(queryArbitrary(first), { numRuns: QUERIES_OF_A_FLEET, seed }))
          expect({ seed, batchSize, query, differences: await differences(oracle, query) }).toEqual({
            seed,
            batchSize,
            query,
            differences: [],
          });
      }),
      { numRuns: Math.ceil(QUERIES / QUERIES_OF_A_FLEET), seed: SEED, endOnFailure: true },
    );
  },
  300_000 + QUERIES * 200,
);

async function differences(oracle: MetricsOracle, query: OracleQuery): Promise<string[]> {
  const { access, from, to, ...scope } = query;
  const parameters = new URLSearchParams({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...Object.fromEntries(Object.entries(scope).map(([name, id]) => [name, String(id)])),
  });
  const requestedAt = Date.now();
  const response = await fleet.get(`/api/v1/metrics?${parameters.toString()}`, access);
  const receivedAt = Date.now();
  const asOf = Date.parse(response.headers.get('x-data-as-of') ?? new Date(NOW_MS).toISOString());
  const { metrics } = await bodyOf<{ metrics: unknown }>(response, 'getMetrics');
  // A day may have started in between.
  const [atRequest, atResponse] = [requestedAt, receivedAt].map((now) => {
    return differ(metrics, oracle.metrics(query, asOf, now), '');
  }) as [string[], string[]];
  return atResponse.length === 0 ? atResponse : atRequest;
}

/** Readings have four decimals, and so do the values computed from them. */
const ROUNDING = 2e-4;

function differ(actual: unknown, expected: unknown, path: string): string[] {
  if (typeof actual === 'number' && typeof expected === 'number') {
    return Math.abs(actual - expected) <= ROUNDING ? [] : [`${path}: ${actual} instead of ${expected}`];
  }
  if (actual === null || expected === null || typeof actual !== 'object' || typeof expected !== 'object') {
    return actual === expected ? [] : [`${path}: ${String(actual)} instead of ${String(expected)}`];
  }
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [...keys].flatMap((key) =>
    differ((actual as never)[key], (expected as never)[key], `${path}/${key}`),
  );
}
