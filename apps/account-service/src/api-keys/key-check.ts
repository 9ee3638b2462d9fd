import { Injectable } from '@nestjs/common';
import { isUuid } from '@gpu-observatory/domain-types';
import { Database } from '@gpu-observatory/service-runtime/process';
import { addSeconds, Clock } from '../clock/clock.ts';
import type { KeyScope } from './scopes.ts';
import { hashKeySecret } from './secret.ts';

/** Resolution of `last_used_at`, so that a busy agent does not cost a write per check. */
const LAST_USED_RESOLUTION_SECONDS = 60;

/** Owner and scopes of a valid key. */
export interface CheckedKey {
  id: number;
  workspace_id: number;
  customer_id: number;
  scopes: KeyScope[];
}

/** Checks whether a secret is valid now: not rotated, deleted, disabled or expired, and of an active customer. */
@Injectable()
export class KeyCheck {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @returns null when the secret belongs to no valid key */
  async check(secret: string): Promise<CheckedKey | null> {
    if (!isUuid(secret)) return null;
    const now = await this.clock.databaseNow(this.database);
    const [key] = await this.database.query<CheckedKey & { last_used_at: Date | null }>({
      name: 'check-key',
      text: `SELECT api_keys.id, api_keys.workspace_id, workspaces.customer_id, api_keys.scopes, api_keys.last_used_at
               FROM account.api_keys
               JOIN account.workspaces ON workspaces.id = api_keys.workspace_id
               JOIN account.customers ON customers.id = workspaces.customer_id AND customers.active
              WHERE api_keys.secret_hash = $1 AND api_keys.active
                AND (api_keys.expires_at IS NULL OR api_keys.expires_at > $2)`,
      values: [hashKeySecret(secret), now],
    });
    if (!key) return null;
    const { last_used_at: lastUsedAt, ...checked } = key;
    if (lastUsedAt === null || addSeconds(lastUsedAt, LAST_USED_RESOLUTION_SECONDS) <= now)
      await this.recordUse(key.id, now);
    return checked;
  }

  /** The condition lets only one of several concurrent replicas write. */
  private async recordUse(keyId: number, now: Date): Promise<void> {
    await this.database.query({
      name: 'record-key-use',
      text: `UPDATE account.api_keys SET last_used_at = $2
              WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`,
      values: [keyId, now, addSeconds(now, -LAST_USED_RESOLUTION_SECONDS)],
    });
  }
}
