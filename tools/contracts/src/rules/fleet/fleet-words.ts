import { type Answer, jsonOf, nameOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, NotSeen } from '../rule.ts';
import type { Subject } from '../subject.ts';

/** In rank order (contract 4.2, list rule 2). */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
export const API = '/api/v1';
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

export interface Alert {
  id: string;
  severity: string;
  type: string;
  state: string;
  created_at: string;
  hostname: string | null;
}

export interface AlertPage {
  alerts: Alert[];
  next_page_token?: string;
  total_size: number | null;
}

export interface CountOf {
  value: string;
  count: number;
}

export interface Gpu {
  gpu_id: string;
  health: string;
  hostname: string;
  pcie_address: string;
  utilization_series?: number[];
}

/** A query string of parameters in their order. */
export function query(parameters: Record<string, string | number>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** @throws {Breach} unless it is a 200 */
export async function readOk<Body>(subject: Subject, path: string): Promise<Body> {
  const answer = await subject.read(`${API}${path}`);
  expectThat(answer.status === 200, `${nameOf(answer)}: ${answer.text.slice(0, 200)}`);
  return jsonOf(answer) as Body;
}

/** @throws {Breach} unless it is that failure in the service's shape, `{error, message}` and nothing else (7.1) */
export function expectFailure(answer: Answer, status: number, error: string, why: string): void {
  const body = jsonOf(answer) as { error?: string; message?: string } | undefined;
  expectThat(
    answer.status === status && body?.error === error,
    `${why}: ${nameOf(answer)} ${answer.text.slice(0, 120)}, where ${status} ${error} is due`,
  );
  expectSame(Object.keys(body ?? {}).sort(), ['error', 'message'], `fields of ${nameOf(answer)}`);
  expectThat(typeof body?.message === 'string' && body.message !== '', `${nameOf(answer)} has no message`);
}

/** The first alerts there are. */
export async function someAlerts(subject: Subject, least = 1, count = 200): Promise<Alert[]> {
  const { alerts } = await readOk<AlertPage>(subject, `/alerts/?page_size=${count}`);
  if (alerts.length < least) throw new NotSeen(`needs ${least} alerts, there are ${alerts.length}`);
  return alerts;
}

export async function someGpus(subject: Subject): Promise<Gpu[]> {
  const { gpus } = await readOk<{ gpus: Gpu[] }>(subject, '/gpus?view=basic&page_size=1000');
  if (gpus.length === 0) throw new NotSeen('needs a GPU');
  return gpus;
}

/** The order of code points, as the database compares (`COLLATE "C"`). */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
