import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import type { Database } from '@gpu-observatory/service-runtime';
import { audit, type Origin } from '../audit/audit.ts';
import type { Clock } from '../clock/clock.ts';
import { findCustomerByDomain } from '../customers/customers.queries.ts';
import { parseEmailAddress } from '../customers/email-address.ts';
import { asDomainError, SignInRefused } from '../sign-in/refusals.ts';
import { recordSignIn } from '../users/users.queries.ts';
import { isPassword } from './password-hash.ts';
import { PasswordTries } from './password-tries.ts';
import { findUserWithPassword, type UserWithPassword } from './passwords.queries.ts';

/** What sessions that began with a password have for a provider. */
export const PASSWORD_METHOD = 'password';

/**
 * Signs in with e-mail and password (decisions, section 3, E-mail/password). An unknown address, one without a password
 * and a wrong password take the same time and get the same answer; who may not sign in learns why with the right
 * password only.
 */
export class PasswordSignIn {
  private readonly tries: PasswordTries;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    readonly enabled: boolean,
  ) {
    this.tries = new PasswordTries(database, clock);
  }

  /**
   * @returns the user's id
   * @throws {DomainError} 401 for a wrong pair, 429 for a locked address, 403 for who may not sign in (so)
   */
  async identify(text: string, password: string, origin: Origin): Promise<number> {
    // What is no address is counted and checked like one, so that it answers like one.
    const address = parseEmailAddress(text);
    const email = address?.address ?? text;
    const lockedSeconds = await this.tries.begin(email);
    if (lockedSeconds !== null) throw await this.locked(lockedSeconds, origin);
    const user = await findUserWithPassword(this.database, email);
    if (!(await isPassword(password, user?.password_hash)) || !user || !address) {
      throw await this.wrong(user, origin);
    }
    await this.tries.succeeded(email);
    await this.refuseOutsiders(user, address.domain, origin);
    await recordSignIn(this.database, user.id, user, this.clock.now());
    return user.id;
  }

  private async refuseOutsiders(user: UserWithPassword, domain: string, origin: Origin): Promise<void> {
    const customer = await findCustomerByDomain(this.database, domain);
    const isOurs = customer?.active === true && customer.id === user.customer_id;
    const isAllowed = customer?.providers?.includes(PASSWORD_METHOD) ?? true;
    const refusal = !isOurs
      ? 'domain_not_allowed'
      : !isAllowed
        ? 'provider_not_allowed'
        : user.disabled_at !== null
          ? 'user_disabled'
          : null;
    if (refusal === null) return;
    const detail = { provider: PASSWORD_METHOD, refusal };
    await audit(
      this.database,
      { action: 'sign_in_refused', actor: 'anonymous', userId: user.id, detail },
      origin,
    );
    throw asDomainError(new SignInRefused(refusal));
  }

  private async wrong(user: UserWithPassword | undefined, origin: Origin): Promise<DomainError> {
    await audit(
      this.database,
      { action: 'password_refused', actor: 'anonymous', userId: user?.id, customerId: user?.customer_id },
      origin,
    );
    return new DomainError(accountErrors.unauthorized, 'The e-mail address or the password is not right.');
  }

  private async locked(seconds: number, origin: Origin): Promise<DomainError> {
    await audit(this.database, { action: 'password_locked', actor: 'anonymous' }, origin);
    return new DomainError(
      accountErrors.tooManyRequests,
      `There were too many tries with this e-mail address; retry in ${seconds} s.`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }
}
