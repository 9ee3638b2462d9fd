import { requestRate, type Bench, check, expectedResponse, compareRates } from '../bench.ts';
import type { Comparison } from '../../comparison.ts';

/** Measures the detail of one alert and its timeline. */
export async function singleAlerts(bench: Bench): Promise<Comparison[]> {
  const id = await alertWithTimeline(bench);
  return [
    ...(await single(bench, 'detail', `/alerts/${id}`)),
    ...(await single(bench, 'timeline', `/alerts/${id}/timeline`)),
  ];
}

async function alertWithTimeline({ fleetApi }: Bench): Promise<string> {
  const { alerts } = await fleetApi.json<{ alerts: { id: string }[] }>('/api/v1/alerts/?page_size=2000');
  for (const { id } of alerts) {
    const path = `/api/v1/alerts/${id}/timeline`;
    const { timeline_events } = await fleetApi.json<{ timeline_events: unknown[] }>(path);
    if (timeline_events.length > 0) return id;
  }
  throw new Error('no alert among the newest 2,000 has a timeline');
}

async function single(bench: Bench, operation: string, path: string): Promise<Comparison[]> {
  const ours = await bench.fleetApi.get(`/api/v1${path}`);
  const theirs = await bench.ormBaseline.get(path);
  const keys = JSON.stringify(Object.keys(JSON.parse(ours.body) as object));
  check(
    ours.status === 200 && keys === JSON.stringify(Object.keys(JSON.parse(theirs.body) as object)),
    `${path} has the fields of the ORM baseline`,
  );
  return compareRates(bench, operation, [`/api/v1${path}`, expectedResponse(ours.body)], {
    baseline: { limit: 3, rate: requestRate(bench.ormBaseline, path, expectedResponse(theirs.body)) },
    lowerBound: { limit: 0.3 },
  });
}
