import { randomUUID } from 'node:crypto';
import type { CheckContext } from './check.ts';

const ALERTS_PER_IMPORT = 1_000;

/** Imports alerts of the first customer on the primary. */
export async function importAlerts({ operate }: CheckContext, count = ALERTS_PER_IMPORT): Promise<void> {
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
  await operate(
    'fleet-api',
    ['import', 'ndjson', '--customer', '1', '--workspace', '1', '-'],
    lines.join('\n'),
  );
}

/** Reads the total number of alerts from fleet-api. */
export async function countAlerts({ edge, tokens }: CheckContext): Promise<number> {
  const response = await edge.request('fleet-api', '/api/v1/alerts/?page_size=1', {
    headers: bearer(tokens),
  });
  if (response.status !== 200)
    throw new Error(`fleet-api returned ${response.status} ${await response.text()}`);
  return ((await response.json()) as { total_size: number }).total_size;
}

/** Requests a page of alerts. Returns `2xx`, or the status and the error code. */
export async function requestAlerts({ edge, tokens }: CheckContext): Promise<string> {
  const response = await edge.request('fleet-api', '/api/v1/alerts/?page_size=50', {
    headers: bearer(tokens),
  });
  const text = await response.text();
  if (response.ok) return '2xx';
  return `${response.status} ${(/"error":"(\w+)"/.exec(text) ?? ['', 'without an error code'])[1]}`;
}

export const bearer = ({ access_token }: { access_token: string }) => ({
  authorization: `Bearer ${access_token}`,
});
