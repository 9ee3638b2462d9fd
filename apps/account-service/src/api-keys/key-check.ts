import { Injectable } from '@nestjs/common';
import { isUuid } from '@gpu-observatory/domain-types';
import { Database } from '@gpu-observatory/service-runtime/process';
import { IS_USABLE, recordKeyUse, USED_RECENTLY_COLUMN } from './key-use.ts';
import { type KeyScope, SCOPES_COLUMN } from './scopes.ts';
import { hashKeySecret } from './secret.ts';

/** Owner and scopes of a valid key. */
export interface CheckedKey {
  key_id: number;
  workspace_id: number;
  customer_id: number;
  scopes: KeyScope[];
}

/** Checks whether a secret is valid now: not rotated, deleted, disabled or expired, and of an active customer. */
@Injectable()
export class KeyCheck {
  constructor(private readonly database: Database) {}

  /** @returns null when the secret belongs to no valid key */
  async check(secret: string): Promise<CheckedKey | null> {
    if (!isUuid(secret)) return null;
    const [key] = await this.database.query<CheckedKey & { used_recently: boolean }>({
      name: 'check-key',
      text: `SELECT api_keys.id AS key_id, api_keys.workspace_id, workspaces.customer_id,
                    ${SCOPES_COLUMN}, ${USED_RECENTLY_COLUMN}
               FROM account.api_keys
               JOIN account.workspaces ON workspaces.id = api_keys.workspace_id
               JOIN account.customers ON customers.id = workspaces.customer_id AND customers.active
              WHERE api_keys.secret_hash = $1 AND ${IS_USABLE}`,
      values: [hashKeySecret(secret)],
    });
    if (!key) return null;
    const { used_recently: usedRecently, ...checked } = key;
    if (!usedRecently) await recordKeyUse(this.database, key.key_id);
    return checked;
  }
}
