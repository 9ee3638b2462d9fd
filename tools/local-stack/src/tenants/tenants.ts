import { fileURLToPath } from 'node:url';
import { runToEnd } from '../processes/run-to-end.ts';
import type { Environment } from '../services/service-environments.ts';
import { operationsOf } from '../services/services.ts';

/** Customers of the demo fleet, with the people of the local identity provider. Nina belongs to none. */
export const demoTenants = fileURLToPath(new URL('demo-tenants.json', import.meta.url));

/** A customer as account-service's operations show it, as far as it matters here. */
export interface Customer {
  id: number;
  slug: string;
  name: string;
  active: boolean;
  workspaces: { id: number; slug: string; name: string }[];
}

/** Declares the demo's customers; what an operator added to them stays. */
export async function applyTenants(env: Environment, logs: string, signal: AbortSignal): Promise<void> {
  await runToEnd({ ...command(env, logs), args: ['tenants', 'apply', '-f', demoTenants] }, signal);
}

/** Every customer, with the ids that account-service gave it and its workspaces. */
export async function readTenants(env: Environment, logs: string, signal: AbortSignal): Promise<Customer[]> {
  const output = await runToEnd({ ...command(env, logs), args: ['tenants', 'show', '--json'] }, signal);
  return (JSON.parse(output) as { customers: Customer[] }).customers;
}

const command = (env: Environment, logs: string) => ({
  name: 'account-service-operations',
  script: operationsOf('account'),
  env,
  logs,
});
