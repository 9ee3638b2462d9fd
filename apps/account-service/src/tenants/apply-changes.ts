import { OperationError, type Queryable } from '@gpu-observatory/service-runtime/process';
import { Like } from 'typeorm';
import { type Actor, audit } from '../audit/audit.ts';
import { repository } from '../database/repositories.ts';
import { endSessionsInLongTransaction } from '../revocations/end-sessions.ts';
import { revoke, type RevokedSubject } from '../revocations/revoke.ts';
import { SIGN_IN_METHODS } from '../sign-in/sign-in-methods.ts';
import { User } from '../users/user.entity.ts';
import { WorkspaceMember } from '../workspaces/workspace-member.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';
import { CustomerDomain } from './customer-domain.entity.ts';
import { lockCustomer } from './customer-lock.ts';
import { Customer } from './customer.entity.ts';
import type { Change, CustomerFields } from './tenants-diff.ts';
import { MAX_WORKSPACES_PER_USER } from './tenants-file.ts';

/**
 * Applies changes in one transaction, each with an audit event, and revokes the tokens of users who lose access. Must
 * be the last call of the transaction.
 */
export async function applyChanges(
  transaction: Queryable,
  changes: readonly Change[],
  actor: Actor,
): Promise<void> {
  const customers = repository(transaction, Customer);
  for (const slug of [...new Set(changes.map(({ customer }) => customer))].sort()) {
    const customer = await customers.findOneBy({ slug });
    if (customer) await lockCustomer(transaction, customer.id, 'exclusive');
  }
  const revoked: RevokedSubject[][] = [];
  for (const change of changes) {
    const { change: action, customer: slug, ...detail } = change;
    if (change.change === 'customer_added') await customers.insert({ ...change.to, slug });
    const { id } = await customers.findOneByOrFail({ slug });
    revoked.push(await applyChange(transaction, change, id));
    await audit(transaction, { action, actor, customerId: id, detail: { customer: slug, ...detail } });
  }
  await revoke(transaction, revoked.flat());
}

/** @returns whose tokens the change revokes */
async function applyChange(
  transaction: Queryable,
  change: Change,
  customerId: number,
): Promise<RevokedSubject[]> {
  const workspaces = repository(transaction, Workspace);
  switch (change.change) {
    case 'customer_added':
      return [];
    case 'customer_changed':
      return changeCustomer(transaction, customerId, change.to);
    case 'domain_added':
      await repository(transaction, CustomerDomain).insert({
        domain: change.domain,
        customer_id: customerId,
      });
      return [];
    case 'domain_removed':
      return removeDomain(transaction, change.domain);
    case 'workspace_added':
      await workspaces.insert({ ...change.to, customer_id: customerId, slug: change.workspace });
      return [];
    case 'workspace_changed':
      await workspaces.update({ customer_id: customerId, slug: change.workspace }, change.to);
      return [];
    case 'user_added':
      await repository(transaction, User).insert({ customer_id: customerId, email: change.email });
      return [];
    case 'administrator_added':
    case 'administrator_removed':
      return changeAdministrator(transaction, change);
    case 'member_added':
    case 'member_changed':
    case 'member_removed':
      return changeMember(transaction, customerId, change);
  }
}

async function changeCustomer(
  transaction: Queryable,
  customerId: number,
  to: Partial<CustomerFields>,
): Promise<RevokedSubject[]> {
  await repository(transaction, Customer).update({ id: customerId }, to);
  if (to.active === false) {
    return endSessionsInLongTransaction(transaction, { customerId }, 'customer disabled');
  }
  if (to.sign_in_methods) {
    const owners = { customerId, allowedMethods: to.sign_in_methods };
    return endSessionsInLongTransaction(transaction, owners, 'sign-in method no longer allowed');
  }
  if (to.google_workspace_required === true) {
    // Sessions do not record the Workspace domain.
    const allowedMethods = SIGN_IN_METHODS.filter((method) => method !== 'google');
    const owners = { customerId, allowedMethods };
    return endSessionsInLongTransaction(transaction, owners, 'Google Workspace account required');
  }
  return [];
}

async function removeDomain(transaction: Queryable, domain: string): Promise<RevokedSubject[]> {
  await repository(transaction, CustomerDomain).delete({ domain });
  const users = await repository(transaction, User).find({
    select: { id: true },
    where: { email: Like(`%@${domain}`) },
  });
  const userIds = users.map(({ id }) => id);
  return endSessionsInLongTransaction(transaction, { userIds }, 'domain removed');
}

async function changeAdministrator(
  transaction: Queryable,
  { change, email }: Extract<Change, { change: 'administrator_added' | 'administrator_removed' }>,
): Promise<RevokedSubject[]> {
  const administrator = change === 'administrator_added';
  const users = repository(transaction, User);
  const { id } = await users.findOneByOrFail({ email });
  await users.update({ id }, { administrator, administrator_declared: administrator });
  return administrator ? [] : [{ kind: 'user', id: String(id) }];
}

async function changeMember(
  transaction: Queryable,
  customerId: number,
  { workspace: slug, email, role }: Extract<Change, { role: unknown }>,
): Promise<RevokedSubject[]> {
  const at = { customer_id: customerId };
  const workspace = await repository(transaction, Workspace).findOneByOrFail({ ...at, slug });
  const user = await repository(transaction, User).findOneByOrFail({ ...at, email });
  const members = repository(transaction, WorkspaceMember);
  const key = { workspace_id: workspace.id, user_id: user.id };
  if (role === null) {
    await members.delete(key);
    return [{ kind: 'user', id: String(user.id) }];
  }
  await members.upsert({ ...key, role, declared: true }, ['workspace_id', 'user_id']);
  // The tenants file is validated on its own; a command adds to existing memberships.
  if ((await members.countBy({ user_id: user.id })) <= MAX_WORKSPACES_PER_USER) return [];
  throw new OperationError(
    `${email} would belong to more than ${MAX_WORKSPACES_PER_USER} workspaces; an administrator has access to all workspaces`,
  );
}
