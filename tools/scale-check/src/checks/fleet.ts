import { randomUUID } from 'node:crypto';
import type { Deployment } from '../deployment.ts';
import type { Claim } from '../run-checks.ts';

export interface CheckContext extends Deployment {
  /** Of an administrator of the first customer. */
  tokens: { access_token: string };
}

/** A property of a deployment with more than one process of each service. */
export type Check = Claim<CheckContext>;

const ALERTS_PER_IMPORT = 1_000;

/** Imports alerts of the first customer on the primary. */
export async function importAlerts(deployment: CheckContext, count = ALERTS_PER_IMPORT): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      kind: 'alert',
      id: randomUUID(),
      title: `Alert ${index}`,
      description: 'Created by scale-check.',
      type: 'gpu_usage',
      severity: 'low',
      created_at: new Date().toISOString(),
    }),
  );
  await deployment.import(lines.join('\n'));
}

/** Reads the total number of alerts from fleet-api. */
export async function countAlerts({ request, tokens }: CheckContext): Promise<number> {
  const response = await request('fleet', '/api/v1/alerts/?page_size=1', {
    headers: bearer(tokens),
  });
  if (response.status !== 200)
    throw new Error(`fleet-api returned ${response.status} ${await response.text()}`);
  return ((await response.json()) as { total_size: number }).total_size;
}

/** Requests a page of alerts. Returns `2xx`, or the status and the error code. */
export async function requestAlerts({ request, tokens }: CheckContext): Promise<string> {
  const response = await request('fleet', '/api/v1/alerts/?page_size=50', {
    headers: bearer(tokens),
  });
  const text = await response.text();
  if (response.ok) return '2xx';
  return `${response.status} ${(/"error":"(\w+)"/.exec(text) ?? ['', 'without an error code'])[1]}`;
}

export const bearer = ({ access_token }: { access_token: string }) => ({
  authorization: `Bearer ${access_token}`,
});
