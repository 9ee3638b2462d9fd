import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import { repository } from '../database/repositories.ts';
import { ApiKey } from './api-key.entity.ts';
import { IS_USABLE } from './key-use.ts';
import { type KeyScope, SCOPES_COLUMN } from './scopes.ts';

/** API key in operator output. The other columns are only printed. */
export interface ListedKey {
  id: number;
  customer_id: number;
  workspace_id: number;
  scopes: KeyScope[];
}

/**
 * Returns one key, the keys of one customer (by slug), or all keys; with `unusedDays` only those that can be used and were
 * neither used nor created within this time, and with `scope` only those that have it.
 */
export async function listKeys(
  queryable: Queryable,
  filter: {
    id?: number;
    customer?: string | undefined;
    unusedDays?: number | undefined;
    scope?: KeyScope | undefined;
  },
): Promise<ListedKey[]> {
  return queryable.query<ListedKey>({
    text: `SELECT api_keys.id, api_keys.name, customers.id AS customer_id, customers.slug AS customer,
                  workspaces.id AS workspace_id, workspaces.slug AS workspace, api_keys.secret_ending,
                  creators.email AS created_by, ${SCOPES_COLUMN}, api_keys.read_access,
                  api_keys.active, api_keys.expires_at, api_keys.last_used_at, api_keys.created_at
             FROM account.api_keys
             JOIN account.workspaces ON workspaces.id = api_keys.workspace_id
             JOIN account.customers ON customers.id = workspaces.customer_id
             JOIN account.users AS creators ON creators.id = api_keys.created_by
            WHERE ($1::integer IS NULL OR api_keys.id = $1) AND ($2::text IS NULL OR customers.slug = $2)
              AND ($3::integer IS NULL
                   OR (${IS_USABLE}
                       AND greatest(api_keys.last_used_at, api_keys.created_at)
                           < clock_timestamp() - make_interval(days => $3)))
              AND ($4::text IS NULL OR $4 = ANY(api_keys.scopes)
                   OR ($4 = '${FLEET_READ_SCOPE}' AND api_keys.read_access IS NOT NULL))
            ORDER BY customers.slug, workspaces.slug, api_keys.id`,
    values: [filter.id, filter.customer, filter.unusedDays, filter.scope],
  });
}

/** Updates what only an operator changes. */
export async function updateKey(
  transaction: Queryable,
  id: number,
  fields: Partial<Pick<ApiKey, 'scopes' | 'active'>>,
): Promise<void> {
  await repository(transaction, ApiKey).update({ id }, { ...fields, updated_at: () => 'clock_timestamp()' });
}
