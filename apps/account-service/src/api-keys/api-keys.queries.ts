import type { WorkspaceRole } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { ApiKey } from './api-key.entity.ts';
import { storedId } from './key-id.ts';
import { IS_USABLE } from './key-use.ts';
import { type KeyScope, type ReadAccess, SCOPES_COLUMN } from './scopes.ts';
import type { KeySecret } from './secret.ts';

/** Workspace of a user, with their role. */
export interface UsersWorkspace {
  workspace_id: number;
  workspace_name: string;
  customer_id: number;
  role: WorkspaceRole;
  /** Whether the user is an administrator of the customer. */
  administrator: boolean;
  /** Maximum lifetime of new keys of the customer; null for no maximum. */
  max_key_days: number | null;
}

type KeyFields = Omit<
  ApiKey,
  'workspace' | 'secret_hash' | 'scopes' | 'token_session_id' | 'active' | 'created_by' | 'creator'
>;

export interface ApiKeyRow extends KeyFields, UsersWorkspace {
  scopes: KeyScope[];
  /** Neither disabled nor expired. */
  is_active: boolean;
}

const WORKSPACE_COLUMNS = 'workspace_id, workspace_name, customer_id, role, administrator, max_key_days';
const KEY_COLUMNS = `
  api_keys.id, api_keys.name, api_keys.description, api_keys.secret_ending, api_keys.read_access, ${SCOPES_COLUMN},
  ${IS_USABLE} AS is_active,
  api_keys.expires_at, api_keys.last_used_at, api_keys.created_at, api_keys.updated_at`;

const KEYS_OF_USER = `
  SELECT ${KEY_COLUMNS}, ${WORKSPACE_COLUMNS}
    FROM account.user_workspaces JOIN account.api_keys USING (workspace_id)
   WHERE user_id = $1`;

export async function findWorkspaceOf(
  queryable: Queryable,
  userId: number,
  workspaceId: number,
): Promise<UsersWorkspace | undefined> {
  const [workspace] = await queryable.query<UsersWorkspace>({
    name: 'find-workspace-of-user',
    text: `SELECT ${WORKSPACE_COLUMNS} FROM account.user_workspaces WHERE user_id = $1 AND workspace_id = $2`,
    values: [userId, storedId(workspaceId)],
  });
  return workspace;
}

/** Returns the keys after this id, oldest first. Ids ascend in the order of creation. */
export async function listKeysOf(
  queryable: Queryable,
  userId: number,
  { afterId, limit }: { afterId: number; limit: number | null },
): Promise<ApiKeyRow[]> {
  return queryable.query<ApiKeyRow>({
    name: 'list-keys-of-user',
    text: `${KEYS_OF_USER} AND api_keys.id > $2 ORDER BY api_keys.id LIMIT $3`,
    values: [userId, afterId, limit],
  });
}

export async function findKeyOf(
  queryable: Queryable,
  userId: number,
  keyId: number,
): Promise<ApiKeyRow | undefined> {
  const [key] = await queryable.query<ApiKeyRow>({
    name: 'find-key-of-user',
    text: `${KEYS_OF_USER} AND api_keys.id = $2`,
    values: [userId, storedId(keyId)],
  });
  return key;
}

export const MAX_KEYS_PER_WORKSPACE = 500;

/** Class id of these advisory locks: "keys" in ASCII. */
const LOCK_CLASS = 0x6b657973;

/** Lets no other transaction create a key in the workspace before this one ends. */
export async function lockKeysOf(transaction: Queryable, workspaceId: number): Promise<void> {
  await transaction.query({
    name: 'lock-keys-of-workspace',
    text: 'SELECT pg_advisory_xact_lock($1, $2)',
    values: [LOCK_CLASS, workspaceId],
  });
}

interface NewKey {
  name: string;
  description: string;
  workspaceId: number;
  createdBy: number;
  expiresAt: Date | null;
  /** Lifetime without `expiresAt`; null for no expiry. */
  maxDays: number | null;
}

/**
 * Call it under `lockKeysOf`.
 *
 * @returns undefined when the workspace has the maximum number of keys
 */
export async function insertKey(
  transaction: Queryable,
  key: NewKey,
  secret: KeySecret,
): Promise<Omit<ApiKeyRow, keyof UsersWorkspace> | undefined> {
  const [row] = await transaction.query<Omit<ApiKeyRow, keyof UsersWorkspace>>({
    name: 'insert-key',
    text: `INSERT INTO account.api_keys
             (workspace_id, name, description, secret_hash, secret_ending, token_session_id, created_by, expires_at, created_at,
              updated_at)
           SELECT $1::integer, $2, $3, $4::bytea, $5, gen_random_uuid(), $6::integer,
                  coalesce($7::timestamptz, clock.now + make_interval(hours => 24 * $8::integer)), clock.now, clock.now
             FROM (SELECT clock_timestamp() AS now) AS clock
            WHERE (SELECT count(*) FROM account.api_keys WHERE workspace_id = $1) < $9
           RETURNING ${KEY_COLUMNS}`,
    values: [
      key.workspaceId,
      key.name,
      key.description,
      secret.hash,
      secret.ending,
      key.createdBy,
      key.expiresAt,
      key.maxDays,
      MAX_KEYS_PER_WORKSPACE,
    ],
  });
  return row;
}

/** @returns the time of the change, or undefined when the key does not exist or reads something else */
export async function replaceSecret(
  transaction: Queryable,
  keyId: number,
  secret: KeySecret,
  readAccess: ReadAccess | null,
): Promise<{ updated_at: Date } | undefined> {
  const [changed] = await transaction.query<{ updated_at: Date }>({
    name: 'replace-key-secret',
    text: `UPDATE account.api_keys SET secret_hash = $2, secret_ending = $3, updated_at = clock_timestamp()
            WHERE id = $1 AND read_access IS NOT DISTINCT FROM $4 RETURNING updated_at`,
    values: [keyId, secret.hash, secret.ending, readAccess],
  });
  return changed;
}

/** @returns false when the key does not exist */
export async function deleteKey(transaction: Queryable, keyId: number): Promise<boolean> {
  const deleted = await transaction.query({
    name: 'delete-key',
    text: `DELETE FROM account.api_keys WHERE id = $1 RETURNING id`,
    values: [keyId],
  });
  return deleted.length > 0;
}
