import { OperationError, type Queryable } from '@gpu-observatory/service-runtime/process';
import { type Actor, audit } from '../audit/audit.ts';
import { repository } from '../database/repositories.ts';
import { CustomerDomain } from './customer-domain.entity.ts';
import { lockCustomer } from './customer-lock.ts';
import { endSessionsInLongTransaction } from '../revocations/end-sessions.ts';
import { PendingRevocations } from '../revocations/pending-revocations.ts';
import { SIGN_IN_METHODS } from '../sign-in/sign-in-methods.ts';
import { Customer } from './customer.entity.ts';
import type { Change } from './tenants-diff.ts';
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
  for (const slug of [...new Set(changes.map(({ customer }) => customer))].sort()) {
    const id = await findCustomerId(transaction, slug);
    if (id !== undefined) await lockCustomer(transaction, id, 'exclusive');
  }
  const revocations = new PendingRevocations();
  for (const change of changes) {
    await applyChange(transaction, change, revocations);
    const { change: action, customer, ...detail } = change;
    await audit(transaction, {
      action,
      actor,
      customerId: await findCustomerId(transaction, customer),
      detail: { customer, ...detail },
    });
  }
  await revocations.write(transaction);
}

async function findCustomerId(transaction: Queryable, slug: string): Promise<number | undefined> {
  const customer = await repository(transaction, Customer).findOneBy({ slug });
  return customer?.id;
}

async function applyChange(
  transaction: Queryable,
  change: Change,
  revocations: PendingRevocations,
): Promise<void> {
  switch (change.change) {
    case 'customer_added':
      await repository(transaction, Customer).insert({ ...change.to, slug: change.customer });
      return;
    case 'customer_changed':
      return changeCustomer(transaction, change, revocations);
    case 'domain_added':
      await transaction.query({
        text: `INSERT INTO account.customer_domains (domain, customer_id)
               SELECT $2, id FROM account.customers WHERE slug = $1`,
        values: [change.customer, change.domain],
      });
      return;
    case 'domain_removed':
      return removeDomain(transaction, change.domain, revocations);
    case 'workspace_added':
      await transaction.query({
        text: `INSERT INTO account.workspaces (customer_id, slug, name, is_default)
               SELECT id, $2, $3, $4 FROM account.customers WHERE slug = $1`,
        values: [change.customer, change.workspace, change.to.name, change.to.is_default],
      });
      return;
    case 'workspace_changed':
      await transaction.query({
        text: `UPDATE account.workspaces
                  SET name = coalesce($3, workspaces.name), is_default = coalesce($4, workspaces.is_default)
                 FROM account.customers
                WHERE customers.slug = $1 AND workspaces.customer_id = customers.id AND workspaces.slug = $2`,
        values: [change.customer, change.workspace, change.to.name ?? null, change.to.is_default ?? null],
      });
      return;
    case 'user_added':
      await transaction.query({
        text: `INSERT INTO account.users (customer_id, email) SELECT id, $2 FROM account.customers WHERE slug = $1`,
        values: [change.customer, change.email],
      });
      return;
    case 'administrator_added':
    case 'administrator_removed':
      return changeAdministrator(transaction, change, revocations);
    case 'member_added':
    case 'member_changed':
    case 'member_removed':
      return changeMember(transaction, change, revocations);
  }
}

async function changeCustomer(
  transaction: Queryable,
  { customer, to }: Extract<Change, { change: 'customer_added' | 'customer_changed' }>,
  revocations: PendingRevocations,
): Promise<void> {
  const [{ id } = { id: 0 }] = await transaction.query<{ id: number }>({
    text: `UPDATE account.customers
              SET name = coalesce($2, name), active = coalesce($3, active), default_role = coalesce($4, default_role),
                  providers = CASE WHEN $5 THEN $6::text[] ELSE providers END,
                  max_key_days = CASE WHEN $7 THEN $8::integer ELSE max_key_days END,
                  google_workspace_required = coalesce($9, google_workspace_required)
            WHERE slug = $1
           RETURNING id`,
    values: [
      customer,
      to.name ?? null,
      to.active ?? null,
      to.default_role ?? null,
      'providers' in to,
      to.providers ?? null,
      'max_key_days' in to,
      to.max_key_days ?? null,
      to.google_workspace_required ?? null,
    ],
  });
  if (to.active === false) {
    await endSessionsInLongTransaction(transaction, { customerId: id }, 'customer disabled', revocations);
  } else if (to.providers) {
    const owners = { customerId: id, allowedProviders: to.providers };
    await endSessionsInLongTransaction(transaction, owners, 'sign-in method no longer allowed', revocations);
  } else if (to.google_workspace_required === true) {
    // Sessions do not record the Workspace domain.
    const allowedProviders = SIGN_IN_METHODS.filter((method) => method !== 'google');
    const owners = { customerId: id, allowedProviders };
    await endSessionsInLongTransaction(transaction, owners, 'Google Workspace account required', revocations);
  }
}

async function removeDomain(
  transaction: Queryable,
  domain: string,
  revocations: PendingRevocations,
): Promise<void> {
  await repository(transaction, CustomerDomain).delete({ domain });
  const users = await transaction.query<{ id: number }>({
    text: `SELECT id FROM account.users WHERE split_part(email, '@', 2) = $1`,
    values: [domain],
  });
  const userIds = users.map(({ id }) => id);
  await endSessionsInLongTransaction(transaction, { userIds }, 'domain removed', revocations);
}

async function changeAdministrator(
  transaction: Queryable,
  { change, email }: Extract<Change, { change: 'administrator_added' | 'administrator_removed' }>,
  revocations: PendingRevocations,
): Promise<void> {
  const administrator = change === 'administrator_added';
  const [user] = await transaction.query<{ id: number }>({
    text: `UPDATE account.users SET administrator = $2, administrator_declared = $2 WHERE email = $1 RETURNING id`,
    values: [email, administrator],
  });
  if (user && !administrator) revocations.add('user', [user.id]);
}

async function changeMember(
  transaction: Queryable,
  { customer, workspace, email, role }: Extract<Change, { role: unknown }>,
  revocations: PendingRevocations,
): Promise<void> {
  const memberJoin = `FROM account.workspaces
                 JOIN account.customers ON customers.id = workspaces.customer_id
                 JOIN account.users ON users.customer_id = customers.id
                WHERE customers.slug = $1 AND workspaces.slug = $2 AND users.email = $3`;
  const values = [customer, workspace, email];
  if (role !== null) {
    await transaction.query({
      text: `INSERT INTO account.workspace_members (workspace_id, user_id, role, declared)
             SELECT workspaces.id, users.id, $4, true ${memberJoin}
             ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role, declared = true`,
      values: [...values, role],
    });
    return rejectTooManyMemberships(transaction, email);
  }
  const removed = await transaction.query<{ user_id: number }>({
    text: `DELETE FROM account.workspace_members
            WHERE (workspace_id, user_id) IN (SELECT workspaces.id, users.id ${memberJoin})
           RETURNING user_id`,
    values,
  });
  revocations.add(
    'user',
    removed.map(({ user_id }) => user_id),
  );
}

/** Rejects too many memberships. The tenants file is validated on its own; a command adds to existing memberships. */
async function rejectTooManyMemberships(transaction: Queryable, email: string): Promise<void> {
  const [{ count } = { count: 0 }] = await transaction.query<{ count: number }>({
    text: `SELECT count(*)::integer AS count FROM account.workspace_members
             JOIN account.users ON users.id = workspace_members.user_id
            WHERE users.email = $1`,
    values: [email],
  });
  if (count <= MAX_WORKSPACES_PER_USER) return;
  throw new OperationError(
    `${email} would belong to more than ${MAX_WORKSPACES_PER_USER} workspaces; an administrator has access to all workspaces`,
  );
}
