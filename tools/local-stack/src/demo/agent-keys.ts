import { readFileSync } from 'node:fs';
import { StackError } from '../errors.ts';
import { DEFAULT_PORT_BASE, localUrl } from '../ports.ts';
import { signIn, type SignInStack } from '../sign-in.ts';
import { type Customer, demoTenants } from '../tenants/tenants.ts';

/** Ids of the API keys of the simulated agents, by workspace id. */
export type AgentKeys = Record<string, number[]>;

const KEY_NAME = 'Simulated agents';

interface DemoTenants {
  customers: { slug: string; active?: boolean; administrators: string[] }[];
}

/**
 * Creates an API key for the simulated agents of each workspace, unless it exists. The administrator of each active
 * customer signs in and creates them over HTTP.
 *
 * @throws {StackError} when account-service rejects a request
 */
export async function ensureAgentKeys(
  stack: SignInStack,
  customers: readonly Customer[],
): Promise<AgentKeys> {
  const { customers: declared } = JSON.parse(readFileSync(demoTenants, 'utf8')) as DemoTenants;
  const keys = await Promise.all(
    declared.map(async ({ slug, administrators: [email] }) => {
      const customer = customers.find((one) => one.slug === slug && one.active);
      return customer === undefined || email === undefined ? [] : keysOf(stack, customer, email);
    }),
  );
  return Object.fromEntries(keys.flat());
}

async function keysOf(
  stack: SignInStack,
  { workspaces }: Customer,
  email: string,
): Promise<[workspaceId: string, keyIds: number[]][]> {
  const session = await signIn(stack, localUrl(DEFAULT_PORT_BASE), email, 'github');
  /** Sends a GET, or a POST of the body. */
  const call = async <Body>(path: string, body?: object): Promise<Body> => {
    const method = body ? 'POST' : 'GET';
    const response = await fetch(`${stack.account_url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new StackError(`${method} ${path} failed with status ${response.status}: ${text}`);
    return JSON.parse(text || '{}') as Body;
  };
  const { api_keys: existing } = await call<{ api_keys: ApiKey[] }>('/keys/');
  const keys = await Promise.all(
    workspaces.map(async ({ id }): Promise<[string, number[]]> => {
      const found = existing.find(({ workspace_id, name }) => workspace_id === id && name === KEY_NAME);
      if (found) return [String(id), [found.id]];
      const description = 'Used by the agents of the simulated fleet.';
      const key = { name: KEY_NAME, description, workspace_id: id };
      const { api_key: created } = await call<{ api_key: ApiKey }>('/keys/', key);
      return [String(id), [created.id]];
    }),
  );
  await call('/auth/logout', {});
  return keys;
}

interface ApiKey {
  id: number;
  name: string;
  workspace_id: number;
}
