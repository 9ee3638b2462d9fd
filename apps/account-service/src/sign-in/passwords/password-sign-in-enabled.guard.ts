import { type CanActivate, Inject, Injectable } from '@nestjs/common';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import type { AccountConfig } from '../../config/account.config.ts';
import { ACCOUNT_CONFIG } from '../../process.module.ts';

/** Responds 404 while the deployment does not enable sign-in with a password. */
@Injectable()
export class PasswordSignInEnabled implements CanActivate {
  constructor(@Inject(ACCOUNT_CONFIG) private readonly config: AccountConfig) {}

  canActivate(): boolean {
    if (this.config.passwordSignIn) return true;
    throw new DomainError(
      accountErrors.notFound,
      'This sign-in method is not enabled; GET /api/v1/auth/methods lists the enabled methods.',
    );
  }
}
