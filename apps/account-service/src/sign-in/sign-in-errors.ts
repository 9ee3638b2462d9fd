import { accountErrors, DomainError, type ErrorKind } from '@gpu-observatory/service-runtime/process';

/**
 * Reasons for a denied sign-in: `error` in the frontend URL, with the detail for JSON clients
 * (`docs/account-service.md#errors`).
 */
const SIGN_IN_ERRORS = {
  access_denied: 'The sign-in was canceled at the provider.',
  provider_error: 'The provider did not complete the sign-in; try again.',
  email_not_verified:
    'The provider sent no verified email address for this account. Verify the address there; if it is verified, ' +
    'an operator must correct the configuration of the provider.',
  domain_not_allowed: 'The email address does not belong to a domain of an active customer.',
  provider_not_allowed:
    'This sign-in method is not allowed for the domain of the email address; use another one.',
  google_workspace_required:
    'The customer requires a Google Workspace account of its domain; this Google account has the address only.',
  identity_conflict:
    'The email address is linked to another account at this provider; ask an operator to unlink that account.',
  user_disabled: 'This user is disabled; contact an administrator of the customer.',
} as const;

export type SignInErrorCode = keyof typeof SIGN_IN_ERRORS;

/** Identifiers of the denied user where available; for the audit log only. */
interface DeniedUser {
  userId?: number;
  customerId?: number;
  /** Email domain that belongs to no customer. */
  domain?: string;
}

/** Errors with a title of their own. */
const ERROR_KINDS: Partial<Record<SignInErrorCode, ErrorKind>> = {
  domain_not_allowed: accountErrors.domainNotAllowed,
  google_workspace_required: accountErrors.googleWorkspaceRequired,
};

/** Ends a sign-in. `SignInDeniedFilter` redirects the browser to the frontend with the error code. */
export class SignInDenied extends DomainError {
  constructor(
    readonly code: SignInErrorCode,
    readonly user: DeniedUser = {},
    cause?: unknown,
  ) {
    super(ERROR_KINDS[code] ?? accountErrors.forbidden, SIGN_IN_ERRORS[code], { cause });
  }
}

/** Error of a sign-in method that the deployment does not enable: 404. */
export function methodNotEnabled(): DomainError {
  return new DomainError(
    accountErrors.notFound,
    'This sign-in method is not enabled; GET /api/v1/auth/methods lists the enabled methods.',
  );
}
