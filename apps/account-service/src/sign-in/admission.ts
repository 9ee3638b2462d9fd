import { Injectable } from '@nestjs/common';
import type { WorkspaceRole } from '@gpu-observatory/domain-types';
import { Database, type Queryable } from '@gpu-observatory/service-runtime/process';
import { audit, type Origin } from '../audit/audit.ts';
import { AccountConfig } from '../config/account.config.ts';
import { repository } from '../database/repositories.ts';
import { lockCustomer } from '../tenants/customer-lock.ts';
import type { Customer } from '../tenants/customer.entity.ts';
import { type EmailAddress, parseEmailAddress } from '../tenants/email-address.ts';
import { EmailNotVerified, type ProviderIdentity } from './strategies/provider.ts';
import { SignInDenied } from './sign-in-errors.ts';
import { findCustomerByDomain, findUserByIdentity, linkIdentity, recordSignIn } from './sign-in.queries.ts';
import { UserIdentity } from '../users/user-identity.entity.ts';
import { User } from '../users/user.entity.ts';
import { WorkspaceMember } from '../workspaces/workspace-member.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';

/** Verified identity of a sign-in, and the origin of its request. */
interface Candidate {
  identity: ProviderIdentity;
  email: EmailAddress;
  origin: Origin;
}

/**
 * Maps a verified identity to a user and decides whether they may sign in (`docs/identity-providers.md#first-sign-in`).
 */
@Injectable()
export class Admission {
  /** Email domains whose users the OpenID Connect provider may sign in. */
  private readonly oidcDomains: readonly string[];

  constructor(
    private readonly database: Database,
    { providers }: AccountConfig,
  ) {
    this.oidcDomains = providers.oidc?.domains ?? [];
  }

  /**
   * @returns the user, created at their first sign-in
   * @throws {SignInDenied}
   */
  async admit(identity: ProviderIdentity, origin: Origin): Promise<User> {
    const email = parseEmailAddress(identity.email);
    if (email === null) {
      throw new SignInDenied('email_not_verified', {}, new EmailNotVerified('email is no valid address'));
    }
    const candidate = { identity, email, origin };
    const unchanged = await this.database.transaction(async (transaction) => {
      const customer = await this.lockActiveCustomer(transaction, candidate, 'shared');
      const user = await this.findByIdentity(transaction, candidate, customer);
      return user?.email === email.address ? this.completeSignIn(transaction, user, candidate) : null;
    });
    if (unchanged !== null) return unchanged;
    return this.database.transaction(async (transaction) => {
      const customer = await this.lockActiveCustomer(transaction, candidate, 'exclusive');
      const user =
        (await this.findByIdentity(transaction, candidate, customer)) ??
        (await this.linkByEmail(transaction, candidate, customer)) ??
        (await this.createUser(transaction, candidate, customer));
      return this.completeSignIn(transaction, user, candidate);
    });
  }

  private async completeSignIn(
    transaction: Queryable,
    user: User,
    { identity, email }: Candidate,
  ): Promise<User> {
    if (user.disabled_at !== null) throw new SignInDenied('user_disabled', { userId: user.id });
    const profile = { ...identity, signInMethod: identity.provider, email: email.address };
    await recordSignIn(transaction, user.id, profile);
    return user;
  }

  /**
   * Returns the active customer of an email domain and locks its users: `shared` for an unchanged returning user,
   * concurrently with other sign-ins and refreshes, `exclusive` when a user is created or changed.
   */
  private async lockActiveCustomer(
    transaction: Queryable,
    { email: { domain }, identity: { provider, workspaceDomain } }: Candidate,
    mode: 'shared' | 'exclusive',
  ): Promise<Customer> {
    const candidate = await findCustomerByDomain(transaction, domain);
    if (!candidate) throw new SignInDenied('domain_not_allowed', { domain });
    await lockCustomer(transaction, candidate.id, mode);
    // Read again, because it may have changed while waiting for the lock.
    const customer = await findCustomerByDomain(transaction, domain);
    if (!customer?.active || customer.id !== candidate.id) {
      throw new SignInDenied('domain_not_allowed', { customerId: candidate.id, domain });
    }
    const isAllowed = customer.sign_in_methods?.includes(provider) ?? true;
    if (!isAllowed || !this.isBound(provider, domain)) {
      throw new SignInDenied('provider_not_allowed', { customerId: customer.id });
    }
    if (provider === 'google' && customer.google_workspace_required && workspaceDomain !== domain) {
      throw new SignInDenied('google_workspace_required', { customerId: customer.id });
    }
    return customer;
  }

  /** Whether the provider may sign in users of the domain. */
  private isBound(provider: string, domain: string): boolean {
    return provider !== 'oidc' || this.oidcDomains.includes(domain);
  }

  /**
   * Finds the user of a known identity. Their email address may have changed, but not to one of another user or
   * customer, nor from a domain that the provider may not sign in.
   */
  private async findByIdentity(
    transaction: Queryable,
    { identity, email }: Candidate,
    customer: Customer,
  ): Promise<User | null> {
    const user = await findUserByIdentity(transaction, identity);
    if (!user) return null;
    const owner = await repository(transaction, User).findOneBy({ email: email.address });
    if (user.customer_id !== customer.id || (owner && owner.id !== user.id)) {
      throw new SignInDenied('identity_conflict', { userId: user.id });
    }
    const before = parseEmailAddress(user.email);
    if (before === null || !this.isBound(identity.provider, before.domain)) {
      throw new SignInDenied('provider_not_allowed', { userId: user.id });
    }
    return user;
  }

  /**
   * Links the identity to a user with the same email address, who signed in through another provider or was declared by
   * an operator. Denies the sign-in when the provider already confirmed the address for another account (it was
   * reassigned), or when its domain moved to another customer.
   */
  private async linkByEmail(
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
    await this.link(transaction, user, candidate);
    return user;
  }

  /** Creates a user with the default role of the customer. Only an operator names administrators. */
  private async createUser(transaction: Queryable, candidate: Candidate, customer: Customer): Promise<User> {
    const { default_role: role } = customer;
    const users = repository(transaction, User);
    const user = users.create({
      customer_id: customer.id,
      email: candidate.email.address,
      disabled_at: null,
    });
    // Also sets the columns that the database assigns.
    await users.insert(user);
    if (role !== 'none') await this.joinDefaultWorkspace(transaction, user, role);
    const event = { action: 'user_created', customerId: customer.id, userId: user.id, detail: { role } };
    await audit(transaction, event, candidate.origin);
    await this.link(transaction, user, candidate);
    return user;
  }

  /** Does nothing when the customer has no default workspace. */
  private async joinDefaultWorkspace(
    transaction: Queryable,
    { id, customer_id }: User,
    role: WorkspaceRole,
  ): Promise<void> {
    const workspace = await repository(transaction, Workspace).findOneBy({ customer_id, is_default: true });
    if (!workspace) return;
    const member = { workspace_id: workspace.id, user_id: id, role };
    await repository(transaction, WorkspaceMember).insert(member);
  }

  private async link(
    transaction: Queryable,
    user: User,
    { identity: { provider, subject }, origin }: Candidate,
  ): Promise<void> {
    // A concurrent sign-in may have linked this account to a user of another customer.
    if (!(await linkIdentity(transaction, user.id, { provider, subject }))) {
      throw new SignInDenied('identity_conflict', { customerId: user.customer_id });
    }
    const detail = { provider, subject };
    const event = { action: 'identity_linked', customerId: user.customer_id, userId: user.id, detail };
    await audit(transaction, event, origin);
  }
}
