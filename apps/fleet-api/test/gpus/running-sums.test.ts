import type { Access } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { DAY_MS } from '@gpu-observatory/domain-types';
import type { GpuModel } from '../../src/api/gpus/gpus.models.ts';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { gpuRecord, sampleRecord } from '../support/records.ts';

const HALF_HOUR_MS = 1_800_000;
const DAYS = 5;
/** Number of complete days. */
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS + 1) * DAY_MS;
const IDS = ['GPU-1', 'GPU-2', 'host|pci|guest'];
const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];

interface Sample {
  gpuId: string;
  /** Number of the half hour since `START`. */
  halfHour: number;
  utilization: number | null;
  temperature: number | null;
  xid: number | null;
}

/** Multiples of 0.25 add up exactly in any order. */
const quarters = (max: number) =>
  fc.option(
    fc.nat(4 * max).map((n) => n / 4),
    { nil: null },
  );
const samples: fc.Arbitrary<Sample[]> = fc.array(
  fc.record({
    gpuId: fc.constantFrom(...IDS),
    halfHour: fc.nat(DAYS * 48 - 1),
    utilization: quarters(100),
    temperature: quarters(99),
    xid: fc.constantFrom(null, 0),
  }),
  { minLength: 500, maxLength: 500 },
);

const fleet = useFleetService();
/** A fixed seed, to reproduce failures. */
const [measured] = fc.sample(samples, { numRuns: 1, seed: 7 }) as [Sample[]];
const record = ({ gpuId, halfHour, utilization, temperature, xid }: Sample, n: number) =>
  sampleRecord(gpuId, new Date(START + halfHour * HALF_HOUR_MS + n * 1_000).toISOString(), {
    utilization_pct: utilization,
    temperature_c: temperature,
    xid_last_code: xid,
  });

beforeAll(async () => {
  await fleet.import(IDS.map((id) => gpuRecord(id, { at: new Date(START).toISOString() })));
  const records = measured.map(record);
  // In several imports, out of order.
  for (let first = 0; first < records.length; first += 70)
    await fleet.import(records.slice(first, first + 70));
});

const mean = (values: number[]): number | null =>
  values.length === 0
    ? null
    : roundHalfEven((values.reduce((sum, value) => sum + value, 0) / values.length) * 100) / 100;
/** Rounds like PostgreSQL's floating point. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  return value - floor === 0.5 ? floor + (floor % 2) : Math.round(value);
}

/** Computes the expected row of a GPU with plain loops over the samples. */
function expected(gpuId: string, from: number, to: number): Partial<GpuModel> {
  const inWindow = measured.filter(
    ({ halfHour, ...sample }) => sample.gpuId === gpuId && halfHour >= from && halfHour < to,
  );
  const withoutNulls = (values: (number | null)[]) => values.filter((value) => value !== null);
  const buckets = Math.min(48, to - from);
  const series = Array.from({ length: buckets }, (_unused, bucket) =>
    mean(
      withoutNulls(
        inWindow
          .filter(({ halfHour }) => Math.floor(((halfHour - from) * buckets) / (to - from)) === bucket)
          .map(({ utilization }) => utilization),
      ),
    ),
  );
  return {
    utilization_pct: mean(withoutNulls(inWindow.map(({ utilization }) => utilization))),
    temperature_c: mean(withoutNulls(inWindow.map(({ temperature }) => temperature))),
    xid_errors: inWindow.some(({ xid }) => xid !== null) ? 0 : null,
    utilization_series: withoutNulls(series),
  };
}

const list = async (query: Record<string, string>) => {
  const response = await fleet.get(`/api/v1/gpus?${new URLSearchParams(query).toString()}`, ACCESS);
  return (await bodyOf<{ gpus: GpuModel[] }>(response, 'listGpus')).gpus;
};

const AROUND = 10;
const window = fc.oneof(
  fc.tuple(fc.integer({ min: -AROUND, max: DAYS * 48 }), fc.integer({ min: 1, max: 49 })),
  fc.tuple(fc.integer({ min: -AROUND, max: DAYS * 48 }), fc.constantFrom(1, 48, 49, 50)),
  fc.tuple(fc.integer({ min: -AROUND, max: 100 }), fc.integer({ min: 50, max: DAYS * 48 + AROUND })),
);

test('computes means and series of any window exactly, in a page and in the unlimited list', async () => {
  await fc.assert(
    fc.asyncProperty(window, async ([from, length]) => {
      const at = (halfHour: number) => new Date(START + halfHour * HALF_HOUR_MS).toISOString();
      const query = { from: at(from), to: at(from + length) };
      const page = await list({ ...query, page_size: '10' });
      expect(await list(query)).toEqual(page);
      expect(page).toHaveLength(IDS.length);
      for (const row of page) expect(row).toMatchObject(expected(row.gpu_id, from, from + length));
      const basic = await list({ ...query, page_size: '10', view: 'basic' });
      expect(basic).toEqual(page.map(({ utilization_series: _series, ...row }) => row));
    }),
    { numRuns: 60 },
  );
});
