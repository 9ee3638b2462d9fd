import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '@gpu-observatory/domain-types';
import pg from 'pg';
import type { GpuModel } from '../../src/api/gpus/gpus.models.ts';
import { streamGpuList } from '../../src/api/gpus/gpu-list.ts';
import type { RankedGpu } from '../../src/api/gpus/gpus.queries.ts';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { gpuRecord, minutesAgo, sampleRecord } from '../support/records.ts';

const GPUS = 2_345;
const ACCESS: Access = [
  { customer_id: 1, workspace_ids: 'all' },
  { customer_id: 2, workspace_ids: [20] },
];
const LIST = '/api/v1/gpus?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z';

const fleet = useFleetService();
beforeAll(async () => {
  await fleet.import(
    Array.from({ length: GPUS }, (_unused, n) =>
      gpuRecord(`GPU-${String(n).padStart(5, '0')}`, {
        customer_id: 1 + (n % 2),
        workspace_id: n % 2 === 0 ? 10 : 20 + (n % 3),
        hostname: `node-${(n * 7919) % 1000}`,
        report_interval_seconds: 86_400,
      }),
    ),
  );
});

const change = async (statement: string) => {
  const client = new pg.Client({ connectionString: fleet.database.administratorUrl });
  await client.connect();
  await client.query(statement).finally(() => client.end());
};
const get = (headers: Record<string, string> = {}) => fleet.get(LIST, ACCESS, headers);
const rowsOf = async (response: Response) => (await bodyOf<{ gpus: GpuModel[] }>(response, 'listGpus')).gpus;

it('lists every GPU once and in order when the list has many pages', async () => {
  const rows = await rowsOf(await get());
  const visible = Array.from({ length: GPUS }, (_unused, n) => n).filter((n) => n % 2 === 0 || n % 3 === 0);
  expect(rows).toHaveLength(visible.length);
  expect(new Set(rows.map(({ gpu_id }) => gpu_id)).size).toBe(visible.length);
  const sorted = rows.toSorted((a, b) =>
    a.hostname === b.hostname ? (a.gpu_id < b.gpu_id ? -1 : 1) : a.hostname < b.hostname ? -1 : 1,
  );
  expect(rows.map(({ gpu_id }) => gpu_id)).toEqual(sorted.map(({ gpu_id }) => gpu_id));
});

it('aborts the response when rows cannot be read, so that it cannot be mistaken for the whole list', async () => {
  const rankedGpus = Array.from({ length: 1_001 }, (_unused, n): RankedGpu => [
    1,
    `GPU-${n}`,
    'healthy',
    4,
    '',
  ]);
  let readings = 0;
  const readRows = () => {
    readings += 1;
    return readings === 1 ? Promise.resolve('') : Promise.reject(new Error('the database went away'));
  };
  const list = await streamGpuList(rankedGpus, readRows);
  expect(list).toBeInstanceOf(Readable);
  await expect(text(list as Readable)).rejects.toThrow('the database went away');
});

it('reads 1,000 rows at a time', async () => {
  const rankedGpus = Array.from({ length: 2_201 }, (_unused, n): RankedGpu => [
    1,
    `GPU-${n}`,
    'healthy',
    4,
    '',
  ]);
  const read: number[] = [];
  const readRows = (some: readonly RankedGpu[]) => {
    read.push(some.length);
    return Promise.resolve(some.map(([, id]) => `"${id}"`).join(','));
  };
  const list = await streamGpuList(rankedGpus, readRows);
  const { gpus } = JSON.parse(await text(list as Readable)) as { gpus: string[] };
  expect(gpus).toEqual(rankedGpus.map(([, id]) => id));
  expect(read).toEqual([1_000, 1_000, 201]);
});

describe('a conditional request', () => {
  const tag = async () => {
    const response = await get();
    await response.arrayBuffer();
    return response.headers.get('etag') as string;
  };
  const poll = async (etag: string) => {
    const response = await get({ 'if-none-match': etag });
    await response.arrayBuffer();
    return response.status;
  };

  it('returns 304 for an unchanged fleet', async () => {
    const etag = await tag();
    expect(etag).toMatch(/^W\/"[\w-]{27}-gzip"$/);
    const response = await get({ 'if-none-match': etag });
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag]);
  });

  it('returns 200 after an import', async () => {
    const etag = await tag();
    await fleet.import([sampleRecord('GPU-00000', minutesAgo(0), { utilization_pct: 5 })]);
    expect(await poll(etag)).toBe(200);
  });

  it.each([
    ['a critical signal ends', 'critical_until'],
    ['a degraded signal ends', 'degraded_until'],
  ])('returns 200 after a health change without an import: %s', async (_name, column) => {
    await change(`UPDATE fleet.gpus SET ${column} = now() + interval '5 s' WHERE gpu_id = 'GPU-00000'`);
    const etag = await tag();
    expect(await poll(etag)).toBe(304);
    while ((await poll(etag)) !== 200) await sleep(100);
    expect(await poll(await tag())).toBe(304);
  });

  it('returns 200 after a GPU has gone missing, without an import', async () => {
    await change(`UPDATE fleet.gpus SET last_seen = now() - interval '295 s', report_interval_seconds = 60, has_telemetry = true
      WHERE gpu_id = 'GPU-00002'`);
    const etag = await tag();
    expect(await poll(etag)).toBe(304);
    while ((await poll(etag)) !== 200) await sleep(100);
    const [first] = await rowsOf(await get());
    expect([first?.gpu_id, first?.health]).toEqual(['GPU-00002', 'missing']);
  });
});
