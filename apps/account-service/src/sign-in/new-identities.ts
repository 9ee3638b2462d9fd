import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { audit, type Origin } from '../audit/audit.ts';
import { repository } from '../database/repositories.ts';
import type { Customer } from '../tenants/customer.entity.ts';
import type { EmailAddress } from '../tenants/email-address.ts';
import { UserIdentity } from '../users/user-identity.entity.ts';
import { User } from '../users/user.entity.ts';
import { WorkspaceMember } from '../workspaces/workspace-member.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';
import { SignInDenied } from './sign-in-errors.ts';
import { linkIdentity } from './sign-in.queries.ts';
import type { ProviderIdentity } from './strategies/provider.ts';

/** Verified identity of a sign-in, and the origin of its request. */
export interface Candidate {
  identity: ProviderIdentity;
  email: EmailAddress;
  origin: Origin;
}

/**
 * Links the identity to a user with the same email address, who signed in through another provider or was declared by
 * an operator. Denies the sign-in when the provider already confirmed the address for another account (it was
 * reassigned), or when its domain moved to another customer.
 */
export async function linkByEmail(
  transaction: Queryable,
  candidate: Candidate,
  customer: Customer,
): Promise<User | null> {
  const user = await repository(transaction, User).findOneBy({ email: candidate.email.address });
  if (!user) return null;
  const movedCustomer = user.customer_id !== customer.id;
  const identity = { user_id: user.id, provider: candidate.identity.provider };
  if (movedCustomer || (await repository(transaction, UserIdentity).existsBy(identity))) {
    throw new SignInDenied('identity_conflict', { userId: user.id });
  }
  await link(transaction, user, candidate);
  return user;
}

/**
 * Creates a user with the default role in the default workspace, if the customer has both. Only an operator names
 * administrators.
 */
export async function createUser(
  transaction: Queryable,
  candidate: Candidate,
  { id: customer_id, default_role: role }: Customer,
): Promise<User> {
  const users = repository(transaction, User);
  const user = users.create({ customer_id, email: candidate.email.address, disabled_at: null });
  // Also sets the columns that the database assigns.
  await users.insert(user);
  if (role !== 'none') {
    const workspace = await repository(transaction, Workspace).findOneBy({ customer_id, is_default: true });
    const members = repository(transaction, WorkspaceMember);
    if (workspace) await members.insert({ workspace_id: workspace.id, user_id: user.id, role });
  }
  const event = { action: 'user_created', customerId: customer_id, userId: user.id, detail: { role } };
  await audit(transaction, event, candidate.origin);
  await link(transaction, user, candidate);
  return user;
}

async function link(
  transaction: Queryable,
  { id: userId, customer_id: customerId }: User,
  { identity: { provider, subject }, origin }: Candidate,
): Promise<void> {
  // A concurrent sign-in may have linked this account to a user of another customer.
  if (!(await linkIdentity(transaction, userId, { provider, subject }))) {
    throw new SignInDenied('identity_conflict', { customerId });
  }
  const event = { action: 'identity_linked', customerId, userId, detail: { provider, subject } };
  await audit(transaction, event, origin);
}
