import { Injectable } from '@nestjs/common';
import { accountErrors } from '@gpu-observatory/service-runtime/process';
import { accessCookieName } from '@gpu-observatory/token-verification';
import { BearerGuard } from '@gpu-observatory/token-verification/guard';
import { AccountConfig } from '../config/account.config.ts';
import { AccessTokenVerifier } from './token-verifiers.ts';

/** Verifies the access token of every request to a route without `PublicRoute`. */
@Injectable()
export class TokenGuard extends BearerGuard {
  constructor(verifier: AccessTokenVerifier, { frontends, service }: AccountConfig) {
    super(verifier, accountErrors.unauthorized, {
      name: accessCookieName(frontends.cookieDomain),
      allowedOrigins: service.allowedOrigins,
      forbidden: accountErrors.forbidden,
    });
  }
}
