import { Injectable } from '@nestjs/common';
import { DAY_MS, parseTimestamp, SECOND_MS } from '@gpu-observatory/domain-types';
import {
  accountErrors,
  Database,
  DomainError,
  type Queryable,
} from '@gpu-observatory/service-runtime/process';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import { audit, type Origin } from '../audit/audit.ts';
import { addSeconds, readDatabaseTime } from '../clock/clock.ts';
import { revokeKeyTokens } from '../revocations/revoke-key-tokens.ts';
import { lockCustomerOfUser } from '../tenants/customer-lock.ts';
import { type ChangeScopesRequest, type CreateKeyRequest, EXPIRES_AT_RULE } from './api-keys.dto.ts';
import {
  type ApiKeyRow,
  deleteKey,
  findWorkspaceOf,
  insertKey,
  lockKeysOf,
  MAX_KEYS_PER_WORKSPACE,
  findKeyOf,
  replaceSecret,
  type UsersWorkspace,
} from './api-keys.queries.ts';
import { denyViewer, requireRoleFor, requireUnchangedScopes } from './grant-rights.ts';
import { changeReadAccess, lockReadAccess } from './read-access.queries.ts';
import type { ReadAccess } from './scopes.ts';
import { newKeySecret } from './secret.ts';

/** Key with its secret, which is returned once and not stored. */
interface KeyWithSecret {
  row: ApiKeyRow;
  secret: string;
}

/**
 * Creates, rotates and deletes keys of the workspaces in which the user is an owner or member. Each change and its
 * audit event are one transaction under the customer lock, so that no user acts in a role that is being removed.
 *
 * @throws {DomainError} 404 for an unknown key or workspace, or one of another user; 403 for a viewer; 400 for an expiry
 * beyond the customer's maximum; 409 for a workspace with the maximum number of keys
 */
@Injectable()
export class ApiKeys {
  constructor(private readonly database: Database) {}

  async create(userId: number, request: CreateKeyRequest, origin: Origin): Promise<KeyWithSecret> {
    const { name, description = '', workspace_id: workspaceId } = request;
    const expiresAt = request.expires_at === undefined ? null : parseTimestamp(request.expires_at);
    // Part of the validation of the body, with the clock of the database, so a rejection is not audited.
    if (expiresAt && expiresAt <= (await readDatabaseTime(this.database))) {
      throw new DomainError(accountErrors.invalidRequest, EXPIRES_AT_RULE);
    }
    const attempt = { attempt: 'create', workspace: workspaceId };
    return this.asMember(userId, attempt, origin, async (transaction) => {
      const workspace = await findWorkspaceOf(transaction, userId, workspaceId);
      if (!workspace) throw notFound('workspace');
      denyViewer(workspace);
      const secret = newKeySecret();
      const { max_key_days: maxDays } = workspace;
      if (maxDays !== null && expiresAt) {
        const latest = addSeconds(await readDatabaseTime(transaction), (maxDays * DAY_MS) / SECOND_MS);
        if (expiresAt > latest) throw expiresTooLate(maxDays);
      }
      // Lock last, so that concurrent requests wait for each other as briefly as possible.
      await lockKeysOf(transaction, workspaceId);
      const key = { name, description, workspaceId, expiresAt, createdBy: userId, maxDays };
      const inserted = await insertKey(transaction, key, secret);
      if (!inserted) {
        throw new DomainError(
          accountErrors.conflict,
          `The workspace has ${MAX_KEYS_PER_WORKSPACE} keys, the maximum; delete keys that are no longer used first.`,
        );
      }
      const row = { ...workspace, ...inserted };
      await audit(transaction, eventOf('api_key_created', userId, row), origin);
      return { row, secret: secret.text };
    });
  }

  /** The old secret becomes invalid immediately. Of concurrent rotations the last one wins. */
  async rotate(userId: number, keyId: number, origin: Origin): Promise<KeyWithSecret> {
    return this.asMember(userId, { attempt: 'rotate', api_key: keyId }, origin, async (transaction) => {
      const row = await this.findWritable(transaction, userId, keyId);
      const secret = newKeySecret();
      // The caller receives the secret, so it needs the role that grants what the key reads.
      requireRoleFor(row.read_access, row);
      // Lock the key row last, so that concurrent rotations wait for each other as briefly as possible.
      await audit(transaction, eventOf('api_key_rotated', userId, row), origin);
      if (row.read_access !== null) await revokeKeyTokens(transaction, keyId);
      // Also when what the key reads has changed since the check.
      const changed = await replaceSecret(transaction, keyId, secret, row.read_access);
      if (!changed) throw notFound('key');
      return { row: { ...row, ...changed }, secret: secret.text };
    });
  }

  async delete(userId: number, keyId: number, origin: Origin): Promise<void> {
    await this.asMember(userId, { attempt: 'delete', api_key: keyId }, origin, async (transaction) => {
      const row = await this.findWritable(transaction, userId, keyId);
      await audit(transaction, eventOf('api_key_deleted', userId, row), origin);
      await revokeKeyTokens(transaction, keyId);
      if (!(await deleteKey(transaction, keyId))) throw notFound('key');
    });
  }

  /** Returns a key that the user may list. */
  async find(userId: number, keyId: number, queryable: Queryable = this.database): Promise<ApiKeyRow> {
    const row = await findKeyOf(queryable, userId, keyId);
    if (!row) throw notFound('key');
    return row;
  }

  /**
   * Grants or revokes `fleet:read`. An owner of the workspace may do both; only an administrator of the customer may extend it
   * to all workspaces.
   *
   * @throws {DomainError} 400 for all workspaces without `fleet:read`; 403 also for a change of any other scope
   */
  async changeScopes(
    userId: number,
    keyId: number,
    requested: ChangeScopesRequest,
    origin: Origin,
  ): Promise<ApiKeyRow> {
    const to = readAccessOf(requested);
    const attempt = { attempt: 'change scopes', api_key: keyId };
    return this.asMember(userId, attempt, origin, async (transaction) => {
      const row = await this.findWritable(transaction, userId, keyId);
      const locked = await lockReadAccess(transaction, keyId);
      if (!locked) throw notFound('key');
      const from = locked.read_access;
      requireRoleFor('workspace', row);
      if (to === 'customer' && from !== 'customer') requireRoleFor(to, row);
      requireUnchangedScopes(row.scopes, requested.scopes);
      if (!(await changeReadAccess(transaction, keyId, { from, to }))) return row;
      const change = { from: from ?? 'none', to: to ?? 'none' };
      await audit(transaction, eventOf('api_key_read_access_changed', userId, row, change), origin);
      return (await findKeyOf(transaction, userId, keyId)) ?? row;
    });
  }

  /** A denied attempt is audited outside the transaction, which is rolled back. */
  private async asMember<Result>(
    userId: number,
    attempt: Record<string, unknown>,
    origin: Origin,
    work: (transaction: Queryable) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.database.transaction(async (transaction) => {
        await lockCustomerOfUser(transaction, userId);
        return work(transaction);
      });
    } catch (failure) {
      if (failure instanceof DomainError) {
        const detail = { ...attempt, reason: failure.kind.code };
        await audit(this.database, { action: 'api_key_denied', userId, detail }, origin);
      }
      throw failure;
    }
  }

  private async findWritable(transaction: Queryable, userId: number, keyId: number): Promise<ApiKeyRow> {
    const row = await this.find(userId, keyId, transaction);
    denyViewer(row);
    return row;
  }
}

/** Returns the audit event of a change of a key by a user. */
function eventOf(action: string, userId: number, key: UsersWorkspace & { id: number }, change?: object) {
  const detail = { api_key: key.id, workspace: key.workspace_id, ...change };
  return { action, customerId: key.customer_id, userId, detail };
}

function expiresTooLate(maxDays: number): DomainError {
  return new DomainError(
    accountErrors.invalidRequest,
    `expires_at must be at most ${maxDays} days ahead, the limit of your organization; without it, the key gets this limit.`,
  );
}

/** Returns the same error for a missing resource and for one of another user, so that it discloses nothing. */
function notFound(what: 'key' | 'workspace'): DomainError {
  return new DomainError(
    accountErrors.notFound,
    what === 'key'
      ? 'The key does not exist in your workspaces; GET /api/v1/keys/ lists your keys.'
      : 'The workspace does not exist or is not yours; GET /api/v1/workspaces/ lists your workspaces.',
  );
}

function readAccessOf({
  scopes,
  all_workspaces: allWorkspaces = false,
}: ChangeScopesRequest): ReadAccess | null {
  if (scopes.includes(FLEET_READ_SCOPE)) return allWorkspaces ? 'customer' : 'workspace';
  if (!allWorkspaces) return null;
  throw new DomainError(
    accountErrors.invalidRequest,
    `all_workspaces needs the scope ${FLEET_READ_SCOPE} in scopes.`,
  );
}
