import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError } from '../errors.ts';
import { root } from '../root.ts';

/** A request that `/agents.md` recommends. */
export interface RecommendedCall {
  /** Below the base URL of the fleet data API. `{alert_id}`, `{gpu_id}`, `{yesterday}` and `{today}` are placeholders. */
  path: string;
  purpose: string;
  /** Size of the response without compression. */
  bytes: number;
}

export interface MeasuredCall extends RecommendedCall {
  /** Number of alerts or GPUs in the response; undefined if it is no list. */
  rows: number | undefined;
}

export const CALLS_FILE = join(root, 'apps/website-api/src/llms/recommended-calls.json');

export const readCalls = (): RecommendedCall[] =>
  JSON.parse(readFileSync(CALLS_FILE, 'utf8')) as RecommendedCall[];

/** Alerts and GPUs whose details are measured; the largest response counts. */
const SAMPLES = 10;

/** Sends each call to a fleet data API and returns the size of the response. */
export async function measureCalls(
  calls: readonly RecommendedCall[],
  fleetUrl: string,
  bearer: string,
): Promise<MeasuredCall[]> {
  const get = async (path: string): Promise<{ bytes: number; body: Record<string, unknown> }> => {
    const headers = { authorization: `Bearer ${bearer}`, 'accept-encoding': 'identity' };
    const response = await fetch(`${fleetUrl}/api/v1${path}`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok)
      throw new StackError(`GET ${path} failed with status ${response.status}: ${bytes.toString()}`);
    return { bytes: bytes.length, body: JSON.parse(bytes.toString()) as Record<string, unknown> };
  };
  const { alerts } = (await get(`/alerts/?page_size=${SAMPLES}&sort=severity`)).body as {
    alerts: { id: string }[];
  };
  const { gpus } = (await get(`/gpus?view=basic&page_size=${SAMPLES}`)).body as {
    gpus: { gpu_id: string }[];
  };
  const values: Record<string, string[]> = {
    alert_id: alerts.map(({ id }) => id),
    gpu_id: gpus.map(({ gpu_id: id }) => encodeURIComponent(id)),
    yesterday: [startOfDay(1)],
    today: [startOfDay(0)],
  };
  const measured: MeasuredCall[] = [];
  for (const call of calls) {
    const responses = [];
    for (const path of expand(call.path, values)) responses.push(await get(path));
    const largest = responses.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    const list = largest.body['alerts'] ?? largest.body['gpus'];
    measured.push({ ...call, bytes: largest.bytes, rows: Array.isArray(list) ? list.length : undefined });
  }
  return measured;
}

/** Returns the paths with each placeholder replaced by each of its values. */
function expand(path: string, values: Record<string, string[]>): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  return (values[name] ?? []).flatMap((value) => expand(path.replace(`{${name}}`, value), values));
}

/** Returns the start of a UTC day. */
function startOfDay(daysAgo: number): string {
  const date = new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1_000);
  return `${date.toISOString().slice(0, 10)}T00:00:00Z`;
}
