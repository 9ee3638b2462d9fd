import type { KeyScopes } from '../data/queries.ts';
import type { Services } from '../session/services.ts';

const SCOPE = 'fleet:read';

/** What a key reads of the fleet data. */
export interface ReadAccess {
  mayRead: boolean;
  allWorkspaces: boolean;
}

export function readAccessOf({ scopes, all_workspaces }: KeyScopes): ReadAccess {
  return { mayRead: scopes.includes(SCOPE), allWorkspaces: all_workspaces };
}

export function readAccessIn(form: FormData): ReadAccess {
  return { mayRead: form.has('may_read'), allWorkspaces: form.has('all_workspaces') };
}

/** Changes what a key reads and keeps its other scopes. */
export async function saveReadAccess(
  { account }: Pick<Services, 'account'>,
  keyId: number,
  access: ReadAccess,
): Promise<void> {
  const params = { path: { key_id: keyId } };
  const { scopes } = await account.get('/api/v1/keys/{key_id}/scopes', { params });
  const others = scopes.filter((scope) => scope !== SCOPE);
  await account.put('/api/v1/keys/{key_id}/scopes', {
    params,
    body: {
      scopes: access.mayRead ? [...others, SCOPE] : others,
      all_workspaces: access.mayRead && access.allWorkspaces,
    },
  });
}
