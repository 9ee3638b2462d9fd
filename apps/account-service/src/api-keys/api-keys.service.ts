import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import type { Database, Queryable } from '@gpu-observatory/service-runtime';
import { audit, type Origin } from '../audit/audit.ts';
import type { Clock } from '../clock/clock.ts';
import { lockCustomerOfUser } from '../customers/customer-lock.ts';
import {
  type ApiKeyRow,
  deleteKey,
  findWorkspaceOf,
  insertKey,
  findKeyOf,
  replaceSecret,
  type UsersWorkspace,
} from './api-keys.queries.ts';
import { newKeySecret } from './secret.ts';

export interface NewKey {
  name: string;
  description: string;
  workspaceId: number;
  expiresAt: Date | null;
}

/** A key and its secret, which is known now and never again. */
export interface KeyWithSecret {
  row: ApiKeyRow;
  secret: string;
}

/** PostgreSQL's integer: an id past it is a valid number of nothing. */
const GREATEST_ID = 2 ** 31 - 1;

/**
 * Makes, rotates and deletes the keys of the workspaces that a user is an owner or member of (contract, sections 3 and
 * 4.5). Each happens in one transaction with its audit row, with the customer's people held still, so that nobody acts
 * in a role they are just losing.
 *
 * @throws {DomainError} 404 for a key or workspace that is not there or not theirs, 403 for a viewer
 */
export class ApiKeys {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async create(userId: number, key: NewKey, origin: Origin): Promise<KeyWithSecret> {
    return this.asMember(userId, async (transaction) => {
      const workspace =
        key.workspaceId > GREATEST_ID
          ? undefined
          : await findWorkspaceOf(transaction, userId, key.workspaceId);
      if (!workspace) throw absent('workspace');
      refuseViewer(workspace);
      const secret = newKeySecret();
      const now = this.clock.now();
      const { id } = await insertKey(transaction, key, secret, now);
      await this.record(transaction, 'api_key_created', userId, { ...workspace, id }, origin);
      const row: ApiKeyRow = {
        ...workspace,
        id,
        name: key.name,
        description: key.description,
        secret_ending: secret.ending,
        active: true,
        expires_at: key.expiresAt,
        last_used_at: null,
        created_at: now,
        updated_at: now,
      };
      return { row, secret: secret.text };
    });
  }

  /** The new secret counts at once and the old one no more; of many rotations at once the last one's counts. */
  async rotate(userId: number, keyId: number, origin: Origin): Promise<KeyWithSecret> {
    return this.asMember(userId, async (transaction) => {
      const row = await this.writable(transaction, userId, keyId);
      const secret = newKeySecret();
      const now = this.clock.now();
      // The key's row is locked last, so that many rotations at once wait for each other but shortly.
      await this.record(transaction, 'api_key_rotated', userId, row, origin);
      if (!(await replaceSecret(transaction, keyId, secret, now))) throw absent('key');
      return { row: { ...row, secret_ending: secret.ending, updated_at: now }, secret: secret.text };
    });
  }

  async delete(userId: number, keyId: number, origin: Origin): Promise<void> {
    await this.asMember(userId, async (transaction) => {
      const row = await this.writable(transaction, userId, keyId);
      await this.record(transaction, 'api_key_deleted', userId, row, origin);
      if (!(await deleteKey(transaction, keyId))) throw absent('key');
    });
  }

  private async asMember<Result>(
    userId: number,
    work: (transaction: Queryable) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await lockCustomerOfUser(transaction, userId);
      return work(transaction);
    });
  }

  private async writable(transaction: Queryable, userId: number, keyId: number): Promise<ApiKeyRow> {
    const row = keyId > GREATEST_ID ? undefined : await findKeyOf(transaction, userId, keyId);
    if (!row) throw absent('key');
    refuseViewer(row);
    return row;
  }

  private async record(
    transaction: Queryable,
    action: string,
    userId: number,
    key: UsersWorkspace & { id: number },
    origin: Origin,
  ): Promise<void> {
    await audit(
      transaction,
      {
        action,
        actor: `user:${userId}`,
        customerId: key.customer_id,
        userId,
        detail: { api_key: key.id, workspace: key.workspace_id },
      },
      origin,
    );
  }
}

/** One answer for what is not there and what is somebody else's, so that it tells nothing of others. */
function absent(what: 'key' | 'workspace'): DomainError {
  return new DomainError(
    accountErrors.notFound,
    what === 'key'
      ? 'There is no such key in a workspace of yours; GET /api/v1/keys/ lists those there are.'
      : 'There is no such workspace of yours; GET /api/v1/workspaces/ lists those there are.',
  );
}

function refuseViewer({ role }: UsersWorkspace): void {
  if (role !== 'viewer') return;
  throw new DomainError(
    accountErrors.forbidden,
    'Viewers of a workspace may list its keys; to make, rotate or delete one, be its owner or member.',
  );
}
