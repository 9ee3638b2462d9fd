import { fileURLToPath } from 'node:url';
import { runToCompletion } from '../processes/run-to-completion.ts';
import type { Environment } from '../services/service-environments.ts';
import { operationsOf } from '../services/services.ts';

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
  await runToCompletion({ ...command(env, logs), args: ['tenants', 'apply', '-f', demoTenants] }, signal);
}

/** Reads all customers and workspaces with their ids. */
export async function readTenants(env: Environment, logs: string, signal: AbortSignal): Promise<Customer[]> {
  const output = await runToCompletion(
    { ...command(env, logs), args: ['tenants', 'show', '--json'] },
    signal,
  );
  return (JSON.parse(output) as { customers: Customer[] }).customers;
}

const command = (env: Environment, logs: string) => ({
  name: 'account-service-operations',
  script: operationsOf('account'),
  env,
  logs,
});
