import { Injectable } from '@nestjs/common';
import { accountErrors, Database, DomainError } from '@gpu-observatory/service-runtime/process';
import { AnonymousRejections } from '../../audit/anonymous-rejections.ts';
import type { Origin } from '../../audit/audit.ts';
import { repository } from '../../database/repositories.ts';
import { parseEmailAddress } from '../../tenants/email-address.ts';
import { SignInDenied, type SignInErrorCode } from '../sign-in-errors.ts';
import { User } from '../../users/user.entity.ts';
import { findCustomerByDomain, recordSignIn } from '../sign-in.queries.ts';
import { verifyPassword } from './password-hash.ts';
import { PasswordAttempts } from './password-attempts.ts';
import { findUserWithPassword, type UserWithPassword } from './passwords.queries.ts';

/** Sign-in method of sessions that started with a password. */
export const PASSWORD_METHOD = 'password';

/**
 * Verifies email and password (`docs/account-service.md#password-sign-in`). Unknown addresses, users without a password
 * and wrong passwords take the same time and get the same response. The reason for a denied sign-in is disclosed only
 * for the correct password.
 */
@Injectable()
export class PasswordSignIn {
  constructor(
    private readonly database: Database,
    private readonly rejections: AnonymousRejections,
    private readonly attempts: PasswordAttempts,
  ) {}

  /**
   * @returns the id of the user
   * @throws {DomainError} 401 for a wrong email or password, 429 for an address that is locked for this network, 403 for a denied user
   */
  async identify(input: string, password: string, origin: Origin): Promise<number> {
    // Invalid addresses are counted and checked like valid ones, so that the response does not differ.
    const address = parseEmailAddress(input);
    const email = address?.address ?? input;
    const lockedSeconds = await this.attempts.start(email, origin.network);
    if (lockedSeconds !== null) throw await this.addressLocked(email, lockedSeconds, origin);
    const user = await findUserWithPassword(this.database, email);
    if (!(await verifyPassword(password, user?.password_hash)) || !user || !address) {
      throw await this.invalidCredentials(user, origin);
    }
    await this.attempts.succeeded(email, origin.network);
    await this.requirePermission(user, address.domain, origin);
    await recordSignIn(this.database, user.id, { ...user, signInMethod: PASSWORD_METHOD });
    return user.id;
  }

  private async requirePermission(user: UserWithPassword, domain: string, origin: Origin): Promise<void> {
    const customer = await findCustomerByDomain(this.database, domain);
    const isActiveCustomer = customer?.active === true && customer.id === user.customer_id;
    const isAllowed = customer?.sign_in_methods?.includes(PASSWORD_METHOD) ?? true;
    const denial: SignInErrorCode | null = !isActiveCustomer
      ? 'domain_not_allowed'
      : !isAllowed
        ? 'provider_not_allowed'
        : user.disabled_at !== null
          ? 'user_disabled'
          : null;
    if (denial === null) return;
    const detail = { method: PASSWORD_METHOD, reason: denial };
    await this.rejections.record({ action: 'sign_in_denied', userId: user.id, detail }, origin);
    throw new SignInDenied(denial);
  }

  private async invalidCredentials(user: UserWithPassword | undefined, origin: Origin): Promise<DomainError> {
    await this.rejections.record(
      { action: 'password_rejected', userId: user?.id, customerId: user?.customer_id },
      origin,
    );
    return new DomainError(accountErrors.unauthorized, 'The email address or the password is wrong.');
  }

  private async addressLocked(email: string, seconds: number, origin: Origin): Promise<DomainError> {
    const user = await repository(this.database, User).findOneBy({ email });
    await this.rejections.record({ action: 'password_locked', userId: user?.id }, origin);
    return new DomainError(
      accountErrors.tooManyRequests,
      `Too many attempts with this email address; retry in ${seconds} s.`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }
}
