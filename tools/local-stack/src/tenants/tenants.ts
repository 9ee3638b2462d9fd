import { fileURLToPath } from 'node:url';
import { operate } from '../services/operate.ts';
import type { Environment } from '../services/service-environments.ts';

/** Tenants file with the demo customers and the users of the local identity provider. Nina belongs to no customer. */
export const demoTenants = fileURLToPath(new URL('demo-tenants.json', import.meta.url));

/** A customer in the output of `tenants show` of account-service. */
export interface Customer {
  id: number;
  slug: string;
  name: string;
  active: boolean;
  workspaces: { id: number; slug: string; name: string }[];
}

/** Creates or updates the demo customers. Additions by an operator stay. */
export async function applyTenants(env: Environment, logs: string, signal: AbortSignal): Promise<void> {
  await operate('account', ['tenants', 'apply', '-f', demoTenants], env, logs, signal);
}

/** Reads all customers and workspaces with their ids. */
export async function readTenants(env: Environment, logs: string, signal: AbortSignal): Promise<Customer[]> {
  const output = await operate('account', ['tenants', 'show', '--json'], env, logs, signal);
  return (JSON.parse(output) as { customers: Customer[] }).customers;
}
