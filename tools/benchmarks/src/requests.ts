import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { DataSet } from './database-server.ts';
import { CLIENTS, type Target } from './load.ts';

const HALF_HOUR_MS = 30 * MINUTE_MS;
const PATTERN = encodeURIComponent('pattern 5');

/** A request to fleet-api. */
export interface MeasuredRequest {
  name: string;
  path: string;
  /** Default: `CLIENTS`. */
  clients?: number;
  /** Path of the same request at both references. */
  reference?: string;
  /** Path of the same request at the ORM baseline alone. */
  ormBaseline?: string;
}

/** Returns requests of each kind, of which the figures of others follow. */
export async function requestsOf({ size, endMs }: DataSet, fleetApi: Target): Promise<MeasuredRequest[]> {
  const iso = (ms: number) => new Date(ms).toISOString();
  const toMs = Math.floor(endMs / HALF_HOUR_MS) * HALF_HOUR_MS;
  const day = `from=${iso(toMs - DAY_MS)}&to=${iso(toMs)}`;
  const allDays = `from=${iso(endMs - size.days * DAY_MS)}&to=${iso(endMs)}`;
  const gpus = Math.min(1_000, size.gpus);
  const id = await alertWithTimeline(fleetApi);
  const pages = [50, 1_000, 10_000]
    .filter((rows) => rows * 2 < size.alerts)
    .map((rows) => ({
      name: `${rows.toLocaleString('en')} alerts`,
      path: `/api/v1/alerts/?page_size=${rows}`,
      reference: `/alerts?page_size=${rows}`,
    }));
  const page = (name: string, query: string, clients = CLIENTS) => ({
    clients,
    name: `50 alerts ${name}`,
    path: `/api/v1/alerts/?page_size=50&${query}`,
  });
  return [
    ...pages,
    page('of a severity and a type', 'filter[severity][in]=critical&filter[type][in]=gpu_dma'),
    page('by severity', 'sort=severity'),
    page('of a workspace', 'workspace_id=103'),
    // A customer reads one page with a text filter at a time.
    page('of a host, one client', 'filter[hostname][startsWith]=node-0000.', 1),
    page('with a common text, one client', `filter[title][contains]=${PATTERN}`, 1),
    page('with a rare text, one client', 'filter[description][contains]=2999', 1),
    { name: 'alert', path: `/api/v1/alerts/${id}`, reference: `/alerts/${id}` },
    {
      name: 'timeline of an alert',
      path: `/api/v1/alerts/${id}/timeline`,
      reference: `/alerts/${id}/timeline`,
    },
    { name: `alert counts of ${size.days} days`, path: `/api/v1/alerts:summary?${allDays}` },
    { name: `alert trend of ${size.days} days`, path: `/api/v1/alerts:severityTrend?${allDays}` },
    ...(['basic', 'full'] as const).map((view) => ({
      name: `${gpus.toLocaleString('en')} GPUs, ${view}`,
      path: `/api/v1/gpus?page_size=${gpus}&view=${view}&${day}`,
      ormBaseline: `/gpus?page_size=${gpus}&view=${view}&from=${iso(toMs - DAY_MS)}`,
    })),
    { name: `metrics of ${size.days} days`, path: `/api/v1/metrics?${allDays}` },
  ];
}

async function alertWithTimeline(fleetApi: Target): Promise<string> {
  const { alerts } = await fleetApi.json<{ alerts: { id: string }[] }>('/api/v1/alerts/?page_size=500');
  for (const { id } of alerts) {
    const timeline = await fleetApi.json<{ timeline_events: unknown[] }>(`/api/v1/alerts/${id}/timeline`);
    if (timeline.timeline_events.length > 0) return id;
  }
  throw new Error('none of the newest 500 alerts has a timeline');
}

/** @throws {Error} unless the responses have the same rows */
export function checkSameRows(name: string, ours: Buffer, theirs: Buffer): void {
  if (rowsOf(ours) === rowsOf(theirs)) return;
  throw new Error(
    `${name}: the reference has other rows: ${rowsOf(theirs)}, not ${rowsOf(ours)}`.slice(0, 1_000),
  );
}

/** Returns the ids of the rows of a response, in order. */
function rowsOf(body: Buffer): string {
  const [rows] = Object.values(JSON.parse(body.toString()) as Record<string, unknown>);
  return [rows]
    .flat()
    .map((row) => {
      const { id, gpu_id, ts } = row as Record<string, string | undefined>;
      return id ?? gpu_id ?? ts;
    })
    .join(' ');
}
