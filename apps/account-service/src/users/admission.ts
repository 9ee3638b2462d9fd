import type { Database, Queryable } from '@gpu-observatory/service-runtime';
import { audit, type Origin } from '../audit/audit.ts';
import type { Clock } from '../clock/clock.ts';
import { lockCustomer } from '../customers/customer-lock.ts';
import { type CustomerRow, findCustomerByDomain } from '../customers/customers.queries.ts';
import { type EmailAddress, parseEmailAddress } from '../customers/email-address.ts';
import type { ProviderIdentity } from '../sign-in/providers/provider.ts';
import { SignInRefused } from '../sign-in/refusals.ts';
import {
  findUserByEmail,
  findUserByIdentity,
  hasIdentityAt,
  hasUsers,
  insertUser,
  joinDefaultWorkspace,
  linkIdentity,
  recordSignIn,
  type UserRow,
} from './users.queries.ts';

/** Decides who a verified identity is to us, and whether they may come in (decisions, section 3). */
export class Admission {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the user, made now when they come for the first time
   * @throws {SignInRefused}
   */
  async admit(identity: ProviderIdentity, origin: Origin): Promise<UserRow> {
    const email = parseEmailAddress(identity.email);
    if (email === null) throw new SignInRefused('email_not_verified');
    const unchanged = await this.database.transaction(async (transaction) => {
      const customer = await this.customerOf(transaction, email, identity.provider, 'shared');
      const user = await this.known(transaction, identity, email, customer);
      return user?.email === email.address ? this.welcome(transaction, user, identity, email) : null;
    });
    if (unchanged !== null) return unchanged;
    return this.database.transaction(async (transaction) => {
      const customer = await this.customerOf(transaction, email, identity.provider, 'exclusive');
      const user =
        (await this.known(transaction, identity, email, customer)) ??
        (await this.joined(transaction, identity, email, customer, origin)) ??
        (await this.made(transaction, identity, email, customer, origin));
      return this.welcome(transaction, user, identity, email);
    });
  }

  private async welcome(
    transaction: Queryable,
    user: UserRow,
    identity: ProviderIdentity,
    email: EmailAddress,
  ): Promise<UserRow> {
    if (user.disabled_at !== null) throw new SignInRefused('user_disabled', { userId: user.id });
    await recordSignIn(transaction, user.id, { ...identity, email: email.address }, this.clock.now());
    return user;
  }

  /**
   * The active customer of an e-mail's domain, with its people held still: `shared` for who comes as they came before,
   * beside others who do and beside refreshes, `exclusive` where somebody is new or different.
   */
  private async customerOf(
    transaction: Queryable,
    { domain }: EmailAddress,
    provider: string,
    mode: 'shared' | 'exclusive',
  ): Promise<CustomerRow> {
    const found = await findCustomerByDomain(transaction, domain);
    if (!found) throw new SignInRefused('domain_not_allowed', { domain });
    await lockCustomer(transaction, found.id, mode);
    // Read again: it may have changed while we waited.
    const customer = await findCustomerByDomain(transaction, domain);
    if (!customer?.active || customer.id !== found.id) {
      throw new SignInRefused('domain_not_allowed', { customerId: found.id, domain });
    }
    if (customer.providers !== null && !customer.providers.includes(provider)) {
      throw new SignInRefused('provider_not_allowed', { customerId: customer.id });
    }
    return customer;
  }

  /** Somebody whose account at the provider we know. Their address may have changed, but not to another person's. */
  private async known(
    transaction: Queryable,
    identity: ProviderIdentity,
    email: EmailAddress,
    customer: CustomerRow,
  ): Promise<UserRow | null> {
    const user = await findUserByIdentity(transaction, identity);
    if (!user) return null;
    const owner = await findUserByEmail(transaction, email.address);
    if (user.customer_id !== customer.id || (owner && owner.id !== user.id)) {
      throw new SignInRefused('identity_conflict', { userId: user.id });
    }
    return user;
  }

  /**
   * Somebody known by e-mail: from the other provider, or declared by an operator. When this provider already vouched
   * for the e-mail with another account, the address was given to somebody else, and is refused; so is one whose domain
   * has passed to another customer.
   */
  private async joined(
    transaction: Queryable,
    identity: ProviderIdentity,
    email: EmailAddress,
    customer: CustomerRow,
    origin: Origin,
  ): Promise<UserRow | null> {
    const user = await findUserByEmail(transaction, email.address);
    if (!user) return null;
    const foreign = user.customer_id !== customer.id;
    if (foreign || (await hasIdentityAt(transaction, user.id, identity.provider))) {
      throw new SignInRefused('identity_conflict', { userId: user.id });
    }
    await this.link(transaction, user, identity, origin);
    return user;
  }

  /** Somebody new. The first of a customer becomes its administrator and owns its default workspace. */
  private async made(
    transaction: Queryable,
    identity: ProviderIdentity,
    email: EmailAddress,
    customer: CustomerRow,
    origin: Origin,
  ): Promise<UserRow> {
    const administrator = !(await hasUsers(transaction, customer.id));
    const role = administrator ? 'owner' : customer.default_role;
    const user = await insertUser(transaction, {
      customerId: customer.id,
      email: email.address,
      administrator,
    });
    await joinDefaultWorkspace(transaction, user.id, customer.id, role);
    await audit(
      transaction,
      {
        action: 'user_created',
        actor: `user:${user.id}`,
        customerId: customer.id,
        userId: user.id,
        detail: { administrator, role },
      },
      origin,
    );
    await this.link(transaction, user, identity, origin);
    return user;
  }

  private async link(
    transaction: Queryable,
    user: UserRow,
    { provider, subject }: ProviderIdentity,
    origin: Origin,
  ): Promise<void> {
    // Another sign-in of this account may have come first, with an address at another customer.
    if (!(await linkIdentity(transaction, user.id, { provider, subject }))) {
      throw new SignInRefused('identity_conflict', { customerId: user.customer_id });
    }
    await audit(
      transaction,
      {
        action: 'identity_linked',
        actor: `user:${user.id}`,
        customerId: user.customer_id,
        userId: user.id,
        detail: { provider, subject },
      },
      origin,
    );
  }
}
