import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';

/** Why a sign-in ends without a code: the `error` in the frontend's address, and what a JSON client reads. */
export const SIGN_IN_REFUSALS = {
  access_denied: 'The sign-in was cancelled at the provider.',
  provider_error: 'The provider did not complete the sign-in; try again.',
  email_not_verified:
    'The provider does not vouch for an e-mail address of this account; verify the primary one there.',
  domain_not_allowed: 'The e-mail address does not belong to a domain of an active customer.',
  provider_not_allowed: 'The customer does not allow this sign-in method; choose another one.',
  identity_conflict:
    'The e-mail address is known with another account of this provider; ask an operator to unlink that one.',
  user_disabled: 'This user is disabled; ask an administrator of the customer.',
} as const;

export type SignInRefusal = keyof typeof SIGN_IN_REFUSALS;

/** Whom a refusal concerns, as far as it is known: for the audit alone. */
export interface RefusedPerson {
  userId?: number;
  customerId?: number;
  /** Of their e-mail, where it is no customer's. */
  domain?: string;
}

/** Ends a sign-in; the controller sends the browser back to the frontend with it. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';

  constructor(
    readonly refusal: SignInRefusal,
    readonly person: RefusedPerson = {},
    cause?: unknown,
  ) {
    super(SIGN_IN_REFUSALS[refusal], { cause });
  }
}

/** The same for a client that asked for JSON (decisions, section 3, domain_not_allowed). */
export function asDomainError({ refusal, message }: SignInRefused): DomainError {
  return new DomainError(
    refusal === 'domain_not_allowed' ? accountErrors.domainNotAllowed : accountErrors.forbidden,
    message,
  );
}
