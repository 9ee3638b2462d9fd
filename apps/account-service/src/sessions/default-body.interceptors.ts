import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { SessionCookies } from './session-cookies.ts';
import { sessionModeOf } from './session-mode.ts';

/** Replaces a missing body with an empty one, which the pipe accepts. */
@Injectable()
export class EmptyBody implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    context.switchToHttp().getRequest<FastifyRequest>().body ??= {};
    return next.handle();
  }
}

/** In cookie mode, replaces a missing body with the refresh token of the cookie. */
@Injectable()
export class RefreshTokenOfCookie implements NestInterceptor {
  constructor(private readonly cookies: SessionCookies) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (sessionModeOf(request) === 'cookies')
      request.body ??= { refresh_token: this.cookies.refreshTokenOf(request) ?? '' };
    return next.handle();
  }
}
