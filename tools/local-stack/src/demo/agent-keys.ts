import { readFileSync } from 'node:fs';
import { StackError } from '../failures.ts';
import { DEFAULT_PORT_BASE, localUrl } from '../ports.ts';
import { signIn } from '../sign-in.ts';
import type { StackFile } from '../stack-file.ts';
import { type Customer, demoTenants } from '../tenants/tenants.ts';

/** The API keys of the simulated agents, by workspace. */
export type AgentKeys = Record<string, number[]>;

const NAME = 'Simulated agents';

interface DemoTenants {
  customers: { slug: string; active?: boolean; administrators: string[] }[];
}

/**
 * Has each active customer's administrator make a key in each of its workspaces, over HTTP as people make them: the
 * simulated agents are known by them. A key that is there already stays.
 *
 * @throws {StackError} when account-service refuses
 */
export async function makeAgentKeys(
  stack: Pick<StackFile, 'account_url' | 'accounts'>,
  customers: readonly Customer[],
): Promise<AgentKeys> {
  const { customers: declared } = JSON.parse(readFileSync(demoTenants, 'utf8')) as DemoTenants;
  const made = await Promise.all(
    declared.map(async ({ slug, administrators: [email] }) => {
      const customer = customers.find((one) => one.slug === slug && one.active);
      return customer === undefined || email === undefined ? [] : keysOf(stack, customer, email);
    }),
  );
  return Object.fromEntries(made.flat());
}

async function keysOf(
  stack: Pick<StackFile, 'account_url' | 'accounts'>,
  { workspaces }: Customer,
  email: string,
): Promise<[workspaceId: string, keyIds: number[]][]> {
  const session = await signIn(stack, localUrl(DEFAULT_PORT_BASE), email, 'github');
  const call = async <Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${stack.account_url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${session.access_token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new StackError(`${method} ${path} was refused with ${response.status}: ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Answer;
  };
  const { api_keys: known } = await call<{ api_keys: ApiKey[] }>('GET', '/keys/');
  const keys = await Promise.all(
    workspaces.map(async ({ id }): Promise<[string, number[]]> => {
      const there = known.find(({ workspace_id, name }) => workspace_id === id && name === NAME);
      if (there) return [String(id), [there.id]];
      const { api_key: made } = await call<{ api_key: ApiKey }>('POST', '/keys/', {
        name: NAME,
        description: 'What the simulated fleet is known by.',
        workspace_id: id,
      });
      return [String(id), [made.id]];
    }),
  );
  await call('POST', '/auth/logout', {});
  return keys;
}

interface ApiKey {
  id: number;
  name: string;
  workspace_id: number;
}
