import { summaryOf } from '../../deployment/http-exchange.ts';
import { expectStatus, expectThat, Skipped } from '../expectations.ts';
import type { Target } from '../target.ts';
import { API, type Schemas } from './requests.ts';

export type Key = Schemas['ApiKeyResponse'];
type Role = Schemas['WorkspaceResponse']['role'];

/**
 * Creates an API key for a check and deletes it afterwards.
 *
 * @param roles roles of the caller in the workspace of the key
 * @returns the deleted key
 * @throws {Skipped} without --write or such a workspace
 */
export async function withKey(
  target: Target,
  roles: readonly Role[],
  check: (key: Key) => Promise<void>,
): Promise<Key> {
  target.requireWrite();
  const listed = await target.read(`${API}/workspaces/`);
  const { workspaces } = expectStatus<Schemas['WorkspaceListResponse']>(listed, 200);
  const workspace = workspaces.find(({ role }) => roles.includes(role));
  if (!workspace) throw new Skipped(`the caller has no workspace as ${roles.join(' or ')}`);
  const created = await target.post(
    `${API}/keys/`,
    { name: 'contract check', description: 'deleted at once', workspace_id: workspace.id },
    target.bearer(),
  );
  const { api_key: key } = expectStatus<Schemas['ApiKeyWithMessage']>(created, 201);
  try {
    await check(key);
  } finally {
    const deleted = await target.send('DELETE', `${API}/keys/${key.id}`, { headers: target.bearer() });
    expectThat(deleted.status === 200, `${summaryOf(deleted)}: key ${key.id} was not deleted`);
  }
  return key;
}
