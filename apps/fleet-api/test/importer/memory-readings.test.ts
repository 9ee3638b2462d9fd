import type { Access } from '@gpu-observatory/domain-types';
import { DAY_MS } from '@gpu-observatory/domain-types';
import { importNvidiaSmi } from '../../src/importer/formats/nvidia-smi/import-nvidia-smi.ts';
import { memoryPercent } from '../../src/importer/write/gpu-day.ts';
import type { FleetMetricsModel } from '../../src/api/metrics/metrics.models.ts';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { importText } from '../support/import-records.ts';
import { gpuDayRecord, gpuRecord, sampleRecord } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];
/** Midnight three days ago, so that all times of these tests are past. */
const MIDNIGHT = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
const at = (minutes: number) => new Date(MIDNIGHT + minutes * 60_000).toISOString();

const fleet = useFleetService();
beforeAll(async () => {
  await fleet.import([gpuRecord('GPU-1', { at: at(0) })]);
});

const sample = (minutes: number, used: number | null, total: number | null) =>
  sampleRecord('GPU-1', at(minutes), { memory_used_mib: used, memory_total_mib: total });
/** A day of one half hour with samples. */
const day = (used: number, total: number) => {
  const first = <Value>(value: Value, others: Value) =>
    Array.from({ length: 48 }, (_unused, i) => (i === 0 ? value : others));
  const nothing = first<null>(null, null);
  return gpuDayRecord('GPU-1', at(24 * 60).slice(0, 10), {
    samples: first(10, 0),
    utilization_pct: nothing,
    memory_used_mib: first<number | null>(used, null),
    temperature_c: nothing,
    memory_total_mib: total,
  });
};
const averageMemory = async () => {
  const response = await fleet.get(`/api/v1/metrics?from=${at(0)}&to=${at(2 * 24 * 60)}`, ACCESS);
  const { metrics } = await bodyOf<{ metrics: FleetMetricsModel }>(response, 'getMetrics');
  return metrics.metrics_summary.avg_gpu_memory;
};

test('rejects contradictory memory readings, and leaves them out of averages', async () => {
  const { rejects, written } = await fleet.import([
    sample(1, 1e9, 1e-30),
    sample(2, 0, 0),
    sample(3, 81_560, 81_559),
    day(1e9, 1e-30),
    day(81_560, 81_559),
    sample(4, 81_559, 81_559),
    sample(5, null, 81_559),
    sample(6, 81_560, null),
    sample(7, 0, 1),
    { kind: 'host', customer_id: 1, workspace_id: 10, at: at(0), hostname: 'host-1', memory_total_mib: 0.5 },
  ]);
  expect(rejects.map(({ reason }) => reason)).toEqual([
    'memory_total_mib must be >= 1',
    'memory_total_mib must be >= 1',
    'memory_used_mib (81560) must be at most memory_total_mib (81559)',
    'memory_total_mib must be >= 1',
    'memory_used_mib (81560) must be at most memory_total_mib (81559)',
    'memory_total_mib must be >= 1',
  ]);
  expect(written).toBe(4);
  expect(await averageMemory()).toBe(50);
});

test.each([
  ['more in use than there is', 81_559, 16],
  ['a total of nothing', 100, 0],
])('%s from nvidia-smi is left out of averages', async (_what, used, total) => {
  const before = await averageMemory();
  const xml = `<nvidia_smi_log>
    <gpu id="00000000:01:00.0"><uuid>GPU-2</uuid>
      <fb_memory_usage><total>${total} MiB</total><used>${used} MiB</used></fb_memory_usage>
      <temperature><gpu_temp>27 C</gpu_temp></temperature></gpu>
    </nvidia_smi_log>`;
  const options = { customerId: 1, host: 'node-1', at: new Date(at(10 + total)), utcOffsetMinutes: 0 };
  const { importerUrl } = fleet.database;
  const imported = await importText(importerUrl, xml, (job) => importNvidiaSmi(job, options));
  expect(imported).toMatchObject({ written: 2, rejects: [] });
  expect(await averageMemory()).toBe(before);
});

test.each([
  [40, 80, 50],
  [0, 80, 0],
  [80, 80, 100],
  [81, 80, null],
  [0, 0, null],
  [0, 1e-30, null],
  [null, 80, null],
  [40, undefined, null],
])('%p of %p MiB is %p %', (used, total, percent) => {
  expect(memoryPercent(used, total)).toBe(percent);
});
