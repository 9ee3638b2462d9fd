import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { type Bench, bestLoads, check, compareLoads, expectedResponse, requestLoad } from '../bench.ts';
import type { DataSet } from '../data-set/data-set.ts';
import type { Load } from '../load/load.ts';
import type { Comparison } from '../../comparison.ts';

const HALF_HOUR_MS = 30 * MINUTE_MS;

interface Gpus {
  gpus: { gpu_id: string; utilization_series?: number[] }[];
}

/** Returns the path of a list of GPUs with their means over a day. */
export function gpusPath(set: DataSet, view: 'basic' | 'full'): string {
  const { from, to } = windowOf(set);
  return `/api/v1/gpus?page_size=${rowsOf(set)}&view=${view}&from=${from}&to=${to}`;
}

const rowsOf = ({ size }: DataSet) => Math.min(1_000, Math.floor(size.gpus / 2));

function windowOf({ endMs }: DataSet): { from: string; to: string } {
  const toMs = Math.floor(endMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  return { from: new Date(toMs - DAY_MS).toISOString(), to: new Date(toMs).toISOString() };
}

/** Compares GPUs with their means over a day, in both views, with a page of the same number of alerts. */
export async function gpuLists(bench: Bench): Promise<Comparison[]> {
  const rows = rowsOf(bench.set);
  const alertsPath = `/api/v1/alerts/?page_size=${rows}`;
  const alerts = await bench.fleetApi.get(alertsPath);
  const comparisons: Comparison[] = [];
  for (const [view, limit] of [
    ['basic', 2],
    ['full', 3],
  ] as const) {
    const path = gpusPath(bench.set, view);
    const baselinePath = `/gpus?page_size=${rows}&view=${view}&from=${windowOf(bench.set).from}`;
    const [ours, theirs] = [
      await bench.fleetApi.get(path),
      await bench.ormBaselines.express.get(baselinePath),
    ];
    for (const { body } of [ours, theirs]) {
      const { gpus } = JSON.parse(body) as Gpus;
      const [first] = gpus;
      check(gpus.length === rows, `${path} returns all rows of the page`);
      check(
        (first?.utilization_series?.length ?? 0) === (view === 'full' ? 48 : 0),
        `${path} has the series of its view`,
      );
    }
    const [load, baselineLoad, alertsLoad] = (await bestLoads(bench, [
      requestLoad(bench.fleetApi, path, expectedResponse(ours.body)),
      requestLoad(bench.ormBaselines.express, baselinePath, expectedResponse(theirs.body)),
      requestLoad(bench.fleetApi, alertsPath, expectedResponse(alerts.body)),
    ])) as [Load, Load, Load];
    const operation = `gpus, ${rows.toLocaleString('en')} rows ${view}`;
    comparisons.push(
      compareLoads(operation, [load, baselineLoad], 'ORM baseline on Express', { speed: 3 }),
      compareLoads(operation, [load, alertsLoad], 'alerts, same number of rows', { cost: limit }),
    );
  }
  return comparisons;
}
