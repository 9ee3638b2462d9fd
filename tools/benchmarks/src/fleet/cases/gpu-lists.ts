import { answering, type Bench, check, lengthOf, sideBySide } from '../bench.ts';
import type { Comparison } from '../comparison.ts';

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;

interface Gpus {
  gpus: { gpu_id: string; utilization_series?: number[] }[];
}

/** GPUs with their means over a day, without and with the series, beside a page of alerts of as many rows. */
export async function gpuLists(bench: Bench): Promise<Comparison[]> {
  const rows = Math.min(1_000, Math.floor(bench.set.size.gpus / 2));
  const toMs = Math.floor(bench.set.endMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  const window = `from=${new Date(toMs - DAY_MS).toISOString()}&to=${new Date(toMs).toISOString()}`;
  const alertsPath = `/api/v1/alerts/?page_size=${rows}`;
  const alerts = await bench.fleetApi.get(alertsPath);
  const comparisons: Comparison[] = [];
  for (const [view, limit] of [
    ['basic', 1.2],
    ['full', 2.5],
  ] as const) {
    const path = `/api/v1/gpus?page_size=${rows}&view=${view}&${window}`;
    const usualPath = `/gpus?page_size=${rows}&view=${view}&from=${new Date(toMs - DAY_MS).toISOString()}`;
    const [ours, theirs] = [await bench.fleetApi.get(path), await bench.usualWay.get(usualPath)];
    for (const { body } of [ours, theirs]) {
      const { gpus } = JSON.parse(body) as Gpus;
      const [first] = gpus;
      check(gpus.length === rows, `${path} has its rows`);
      check(
        (first?.utilization_series?.length ?? 0) === (view === 'full' ? 48 : 0),
        `${path} has its series`,
      );
    }
    const [rate, usualRate, alertsRate] = (await sideBySide(bench, [
      answering(bench.fleetApi, path, lengthOf(ours.body)),
      answering(bench.usualWay, usualPath, lengthOf(theirs.body)),
      answering(bench.fleetApi, alertsPath, lengthOf(alerts.body)),
    ])) as [number, number, number];
    const figures = {
      operation: `gpus, ${rows.toLocaleString('en')} rows ${view}`,
      ours: rate,
      unit: 'per second' as const,
    };
    comparisons.push(
      { ...figures, against: 'the usual way', theirs: usualRate, bar: { kind: 'speed', limit: 3 } },
      { ...figures, against: 'alerts, as many rows', theirs: alertsRate, bar: { kind: 'cost', limit } },
    );
  }
  return comparisons;
}
