import { type CanActivate, Inject, Injectable } from '@nestjs/common';
import type { AccountConfig } from '../../config/account.config.ts';
import { ACCOUNT_CONFIG } from '../../process.module.ts';
import { methodNotEnabled } from '../sign-in-errors.ts';

/** Responds 404 while the deployment does not enable sign-in with a password. */
@Injectable()
export class PasswordSignInEnabled implements CanActivate {
  constructor(@Inject(ACCOUNT_CONFIG) private readonly config: AccountConfig) {}

  canActivate(): boolean {
    if (this.config.passwordSignIn) return true;
    throw methodNotEnabled();
  }
}
