import { type CanActivate, Injectable } from '@nestjs/common';
import { AccountConfig } from '../../config/account.config.ts';
import { methodNotEnabled } from '../sign-in-errors.ts';

/** Responds 404 while the deployment does not enable sign-in with a password. */
@Injectable()
export class PasswordSignInEnabled implements CanActivate {
  constructor(private readonly config: AccountConfig) {}

  canActivate(): boolean {
    if (this.config.passwordSignIn) return true;
    throw methodNotEnabled();
  }
}
