import { parsePositiveInteger } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { storedId } from './key-id.ts';
import { IS_USABLE, USED_RECENTLY_COLUMN } from './key-use.ts';
import type { ReadAccess } from './scopes.ts';

/** An API key as an OAuth client. */
export interface ClientKey {
  id: number;
  secret_hash: Buffer;
  /** Neither disabled nor expired, and of an active customer. */
  is_active: boolean;
  read_access: ReadAccess | null;
  token_session_id: string;
  expires_at: Date | null;
  workspace_id: number;
  customer_id: number;
  used_recently: boolean;
  /** Time of the database. */
  read_at: Date;
}

/** Runs the same statement for an id that no key can have, so that it takes as long. */
export async function findClientKey(queryable: Queryable, clientId: string): Promise<ClientKey | undefined> {
  const [key] = await queryable.query<ClientKey>({
    name: 'find-client-key',
    text: `SELECT api_keys.id, api_keys.secret_hash, api_keys.read_access, api_keys.token_session_id, api_keys.expires_at,
                  ${IS_USABLE} AND customers.active AS is_active,
                  api_keys.workspace_id, workspaces.customer_id, ${USED_RECENTLY_COLUMN},
                  clock_timestamp()::timestamptz(3) AS read_at
             FROM account.api_keys
             JOIN account.workspaces ON workspaces.id = api_keys.workspace_id
             JOIN account.customers ON customers.id = workspaces.customer_id
            WHERE api_keys.id = $1`,
    values: [storedId(parsePositiveInteger(clientId) ?? 0)],
  });
  return key;
}
