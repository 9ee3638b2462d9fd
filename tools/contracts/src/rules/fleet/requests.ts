import type { fleetTypes } from '@gpu-observatory/client';
import { errorWith, expectStatus, Skipped } from '../expectations.ts';
import type { Target } from '../target.ts';
import { withoutNewData } from '../without-new-data.ts';

/** In rank order, see docs/fleet-api.md#sorting. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
export const API = '/api/v1';
export const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

export type Schemas = fleetTypes.components['schemas'];
export type Alert = Schemas['AlertModel'];
export type AlertPage = Schemas['AlertListModel'];
export type Summary = Schemas['AlertSummaryModel'];
export type Trend = Schemas['SeverityTrendModel'];
export type Metrics = Schemas['FleetMetricsModel'];
export type Gpu = Schemas['GpuModel'];

export const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);

/** Builds a query string with the parameters in order. */
export function query(parameters: Record<string, string | number>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

type Paths = fleetTypes.paths;
type Ok<Path extends keyof Paths> = Paths[Path]['get']['responses'][200]['content']['application/json'];
/** Matches a path of the document with any value in braces. */
type Matching<Path> = Path extends `${infer Start}{${string}}${infer End}` ? `${Start}${string}${End}` : Path;
type WithoutQuery<Path> = Path extends `${infer Start}?${string}` ? Start : Path;
type WithoutSlash<Path> = Path extends `${infer Start}/` ? Start : Path;
/** The body that the document has for a path below `/api/v1`, with its query. */
type BodyOf<Path extends string> = {
  [Each in keyof Paths]: `/api/v1${WithoutSlash<WithoutQuery<Path>>}` extends Matching<Each>
    ? Ok<Each>
    : never;
}[keyof Paths];

/** @throws {Violation} unless the status is 200 */
export async function readOk<Path extends `/${string}`>(target: Target, path: Path): Promise<BodyOf<Path>> {
  return expectStatus(await target.read(`${API}${path}`), 200);
}

export const expectError = errorWith('error', 'message');

/** @throws {Skipped} when the first page has fewer alerts than `minimum` */
export async function someAlerts(target: Target, minimum = 1, pageSize = 200): Promise<Alert[]> {
  const { alerts } = await readOk(target, `/alerts/?page_size=${pageSize}`);
  if (alerts.length < minimum)
    throw new Skipped(`needs ${minimum} alerts, the deployment has ${alerts.length}`);
  return alerts;
}

/** @throws {Skipped} when the deployment has fewer GPUs than `minimum` */
export async function someGpus(target: Target, minimum = 1): Promise<Gpu[]> {
  const { gpus } = await readOk(target, '/gpus?view=basic&page_size=1000');
  if (gpus.length < minimum) throw new Skipped(`needs ${minimum} GPUs, the deployment has ${gpus.length}`);
  return gpus;
}

/**
 * Reads several paths until all responses have the same `X-Data-As-Of`.
 *
 * @throws {Skipped} when data arrived during each attempt
 */
export async function readSnapshot<const Read extends readonly `/${string}`[]>(
  target: Target,
  paths: Read,
): Promise<{ -readonly [N in keyof Read]: BodyOf<Read[N]> }> {
  return withoutNewData(async () => {
    const bodies = [];
    const times = new Set<string | undefined>();
    for (const path of paths) {
      const response = await target.read(`${API}${path}`);
      bodies.push(expectStatus(response, 200));
      times.add(response.headers['x-data-as-of']);
    }
    return times.size === 1 ? (bodies as { [N in keyof Read]: BodyOf<Read[N]> }) : undefined;
  });
}

/** Compares by code point, as the database does (`COLLATE "C"`). */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
