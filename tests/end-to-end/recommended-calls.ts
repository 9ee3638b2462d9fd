import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@gpu-observatory/local-stack';

/** A request that `/agents.md` recommends. */
interface RecommendedCall {
  /** Below `/api/v1` of fleet-api. `{alert_id}`, `{gpu_id}`, `{yesterday}` and `{today}` are placeholders. */
  path: string;
  /** Documented size of the response without compression. */
  bytes: number;
}

interface MeasuredCall extends RecommendedCall {
  /** Size of the largest response. */
  measuredBytes: number;
  /** Number of alerts or GPUs in that response; undefined if it is no list. */
  rows: number | undefined;
}

/** Alerts and GPUs whose details are measured. */
const SAMPLES = 10;
const DAY_MS = 86_400_000;

/** Sends each call that `/agents.md` recommends, with each value of a placeholder. */
export async function measureRecommendedCalls(fleetUrl: string, bearer: string): Promise<MeasuredCall[]> {
  const get = async (path: string): Promise<{ bytes: number; lists: Record<string, unknown> }> => {
    const headers = { authorization: `Bearer ${bearer}`, 'accept-encoding': 'identity' };
    const response = await fetch(`${fleetUrl}/api/v1${path}`, { headers });
    const text = await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    return { bytes: Buffer.byteLength(text), lists: JSON.parse(text) as Record<string, unknown> };
  };
  const valuesOf = async (path: string, list: string, field: string) =>
    ((await get(path)).lists[list] as Record<string, string>[]).map((row) => encodeURIComponent(row[field]!));
  const values: Record<string, string[]> = {
    alert_id: await valuesOf(`/alerts/?page_size=${SAMPLES}&sort=severity`, 'alerts', 'id'),
    gpu_id: await valuesOf(`/gpus?view=basic&page_size=${SAMPLES}`, 'gpus', 'gpu_id'),
    yesterday: [startOfDay(Date.now() - DAY_MS)],
    today: [startOfDay(Date.now())],
  };
  const measured: MeasuredCall[] = [];
  for (const call of recommendedCalls()) {
    const responses = [];
    for (const path of expand(call.path, values)) responses.push(await get(path));
    const { bytes, lists } = responses.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    const list = lists['alerts'] ?? lists['gpus'];
    measured.push({ ...call, measuredBytes: bytes, rows: Array.isArray(list) ? list.length : undefined });
  }
  return measured;
}

function recommendedCalls(): RecommendedCall[] {
  const file = join(root, 'apps/website-api/src/agents/recommended-calls.json');
  return JSON.parse(readFileSync(file, 'utf8')) as RecommendedCall[];
}

/** Returns the paths with each placeholder replaced by each of its values. */
function expand(path: string, values: Record<string, string[]>): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  if (name === undefined) return [path];
  return (values[name] ?? []).flatMap((value) => expand(path.replace(`{${name}}`, value), values));
}

/** Returns the start of a UTC day. */
function startOfDay(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 10)}T00:00:00Z`;
}
