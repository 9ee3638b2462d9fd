import { randomUUID } from 'node:crypto';
import type { CheckContext } from './check.ts';

const IMPORTED_AT_ONCE = 1_000;

/** Brings alerts of the first customer in, on the primary. */
export async function importAlerts({ operate }: CheckContext, count = IMPORTED_AT_ONCE): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      kind: 'alert',
      id: randomUUID(),
      title: `Alert ${at}`,
      description: 'Made by the check.',
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

/** How many alerts fleet-api says there are. */
export async function totalAlerts({ edge, tokens }: CheckContext): Promise<number> {
  const answer = await edge.request('fleet-api', '/api/v1/alerts/?page_size=1', { headers: bearer(tokens) });
  if (answer.status !== 200) throw new Error(`fleet-api answered ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { total_size: number }).total_size;
}

/** Asks for a page of alerts: `2xx`, or the status and the error's code. */
export async function askForAlerts({ edge, tokens }: CheckContext): Promise<string> {
  const answer = await edge.request('fleet-api', '/api/v1/alerts/?page_size=50', { headers: bearer(tokens) });
  const text = await answer.text();
  if (answer.ok) return '2xx';
  return `${answer.status} ${(/"error":"(\w+)"/.exec(text) ?? ['', 'without its own error shape'])[1]}`;
}

export const bearer = ({ access_token }: { access_token: string }) => ({
  authorization: `Bearer ${access_token}`,
});
