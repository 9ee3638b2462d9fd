import type { WorkspaceRole } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import type { User } from '../users/user.entity.ts';
import type { Workspace } from '../workspaces/workspace.entity.ts';
import type { Customer } from './customer.entity.ts';

export interface CurrentWorkspace extends Pick<Workspace, 'id' | 'slug' | 'name' | 'is_default'> {
  members: { email: string; role: WorkspaceRole; declared: boolean }[];
}

export interface CurrentCustomer extends Omit<Customer, 'created_at'> {
  domains: string[];
  users: Pick<User, 'email' | 'administrator' | 'administrator_declared'>[];
  workspaces: CurrentWorkspace[];
}

/** Returns all customers with everything a tenants file can declare, ordered by slug. */
export async function readTenants(queryable: Queryable): Promise<CurrentCustomer[]> {
  return queryable.query<CurrentCustomer>({
    text: `SELECT customers.id, customers.slug, customers.name, customers.active, customers.default_role,
                  customers.max_key_days, customers.sign_in_methods, customers.google_workspace_required,
                  ARRAY(SELECT domain FROM account.customer_domains
                         WHERE customer_id = customers.id ORDER BY domain) AS domains,
                  coalesce((SELECT json_agg(json_build_object(
                                     'email', email,
                                     'administrator', administrator,
                                     'administrator_declared', administrator_declared) ORDER BY email)
                              FROM account.users WHERE users.customer_id = customers.id), '[]') AS users,
                  coalesce((SELECT json_agg(json_build_object(
                                     'id', workspaces.id, 'slug', workspaces.slug, 'name', workspaces.name,
                                     'is_default', workspaces.is_default,
                                     'members', coalesce((
                                       SELECT json_agg(json_build_object('email', users.email,
                                                                         'role', workspace_members.role,
                                                                         'declared', workspace_members.declared)
                                                       ORDER BY users.email)
                                         FROM account.workspace_members
                                         JOIN account.users ON users.id = workspace_members.user_id
                                        WHERE workspace_members.workspace_id = workspaces.id), '[]'))
                                   ORDER BY workspaces.id)
                              FROM account.workspaces WHERE workspaces.customer_id = customers.id), '[]') AS workspaces
             FROM account.customers
            ORDER BY customers.slug`,
  });
}

/** Serializes changes of tenants, so that a change plan stays valid until it is applied. */
export async function lockTenants(transaction: Queryable): Promise<void> {
  await transaction.query({
    text: "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:tenants', 0))",
  });
}
