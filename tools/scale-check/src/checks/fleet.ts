import assert from 'node:assert/strict';
import { alertRecord } from '../alert-record.ts';
import type { Deployment } from '../deployment.ts';
import type { Claim } from '../run-checks.ts';

/** A property of a deployment with more than one process of each service. */
export type Check = Claim<Deployment>;

/** Imports alerts of the first customer on the primary. */
export async function importAlerts(deployment: Deployment, count = 1_000): Promise<void> {
  await deployment.import(Array.from({ length: count }, () => alertRecord(Date.now())));
}

const readAlerts = ({ request, tokens }: Deployment, pageSize: number) =>
  request('fleet', `/api/v1/alerts/?page_size=${pageSize}`, { headers: bearer(tokens) });

/** Reads the total number of alerts from fleet-api. */
export async function countAlerts(deployment: Deployment): Promise<number> {
  const response = await readAlerts(deployment, 1);
  const text = await response.text();
  assert(response.ok, `fleet-api returned ${response.status} ${text}`);
  return (JSON.parse(text) as { total_size: number }).total_size;
}

/** Requests a page of alerts. Returns `2xx`, or the status and the error code. */
export async function requestAlerts(deployment: Deployment): Promise<string> {
  const response = await readAlerts(deployment, 50);
  const text = await response.text();
  if (response.ok) return '2xx';
  return `${response.status} ${(/"error":"(\w+)"/.exec(text) ?? ['', 'without an error code'])[1]}`;
}

export const bearer = ({ access_token }: { access_token: string }) => ({
  authorization: `Bearer ${access_token}`,
});
