import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '@gpu-observatory/service-runtime/process';
import type { Origin } from '../audit/audit.ts';
import { AccountConfig } from '../config/account.config.ts';
import { repository } from '../database/repositories.ts';
import { lockCustomerOfDomain } from '../tenants/customer-lock.ts';
import type { Customer } from '../tenants/customer.entity.ts';
import { parseEmailAddress } from '../tenants/email-address.ts';
import { User } from '../users/user.entity.ts';
import { type Candidate, createUser, linkByEmail } from './new-identities.ts';
import { SignInDenied } from './sign-in-errors.ts';
import { findCustomerByDomain, findUserByIdentity, recordSignIn } from './sign-in.queries.ts';
import { EmailNotVerified, type ProviderIdentity } from './strategies/provider.ts';

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
    // Most users return unchanged. Under the shared lock they wait neither for each other nor for refreshes.
    const unchanged = await this.database.transaction(async (transaction) => {
      const customer = await this.lockActiveCustomer(transaction, candidate, 'shared');
      const user = await this.findByIdentity(transaction, candidate, customer);
      return user?.email === email.address ? completeSignIn(transaction, user, candidate) : null;
    });
    if (unchanged !== null) return unchanged;
    return this.database.transaction(async (transaction) => {
      const customer = await this.lockActiveCustomer(transaction, candidate, 'exclusive');
      const user =
        (await this.findByIdentity(transaction, candidate, customer)) ??
        (await linkByEmail(transaction, candidate, customer)) ??
        (await createUser(transaction, candidate, customer));
      return completeSignIn(transaction, user, candidate);
    });
  }

  /** Locks the users of the customer of the email domain, and returns it if they may sign in with the provider. */
  private async lockActiveCustomer(
    transaction: Queryable,
    { email: { domain }, identity: { provider, workspaceDomain } }: Candidate,
    mode: 'shared' | 'exclusive',
  ): Promise<Customer> {
    const customerId = await lockCustomerOfDomain(transaction, domain, mode);
    if (customerId === undefined) throw new SignInDenied('domain_not_allowed', { domain });
    // The domain may have moved while the transaction waited for the lock.
    const customer = await findCustomerByDomain(transaction, domain);
    if (!customer?.active || customer.id !== customerId) {
      throw new SignInDenied('domain_not_allowed', { customerId, domain });
    }
    const isAllowed = customer.sign_in_methods?.includes(provider) ?? true;
    if (!isAllowed || !this.isBound(provider, domain)) {
      throw new SignInDenied('provider_not_allowed', { customerId });
    }
    if (provider === 'google' && customer.google_workspace_required && workspaceDomain !== domain) {
      throw new SignInDenied('google_workspace_required', { customerId });
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
}

async function completeSignIn(
  transaction: Queryable,
  user: User,
  { identity, email }: Candidate,
): Promise<User> {
  if (user.disabled_at !== null) throw new SignInDenied('user_disabled', { userId: user.id });
  const profile = { ...identity, signInMethod: identity.provider, email: email.address };
  await recordSignIn(transaction, user.id, profile);
  return user;
}
