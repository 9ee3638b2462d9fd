import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AllowedOrigins } from '../requests/allowed-origins.ts';
import { SessionCookies } from './session-cookies.ts';
import { sessionModeOf } from './session-mode.ts';

/** Rejects cookie mode without an allowed origin with 403. */
@Injectable()
export class CookieModeOrigin implements CanActivate {
  constructor(private readonly origins: AllowedOrigins) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (sessionModeOf(request) === 'cookies') this.origins.check(request);
    return true;
  }
}

/** Rejects a sign-out with session cookies and without an allowed origin with 403. */
@Injectable()
export class SignOutOrigin implements CanActivate {
  constructor(
    private readonly origins: AllowedOrigins,
    private readonly cookies: SessionCookies,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { access, refresh } = this.cookies.signOutTokensOf(request);
    if (access.length > 0 || refresh.length > 0) this.origins.check(request);
    return true;
  }
}
