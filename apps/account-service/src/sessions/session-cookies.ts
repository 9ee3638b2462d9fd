import { Injectable } from '@nestjs/common';
import type { SessionTokens } from '@gpu-observatory/domain-types';
import { accessCookieName, cookieValues } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccountConfig } from '../config/account.config.ts';
import { AllowedOrigins } from '../requests/allowed-origins.ts';
import { SESSION_TTL_SECONDS } from '../tokens/lifetimes.ts';

const EVERYWHERE = { path: '/', httpOnly: true, secure: true } as const;

/**
 * The refresh cookie. It never has a domain, because only this service reads it, so that it can have the `__Host-`
 * prefix: no sibling host can set or receive it (`docs/decisions/session-cookies.md`).
 */
const REFRESH = { name: '__Host-refresh', scope: { ...EVERYWHERE, sameSite: 'strict' } } as const;

/** Access and refresh tokens of a request. */
export interface SessionTokenTexts {
  access: string[];
  refresh: string[];
}

/** Session cookies (`docs/account-service.md#cookie-mode`). */
@Injectable()
export class SessionCookies {
  private readonly accessName: string;
  private readonly accessScope;

  constructor(
    private readonly origins: AllowedOrigins,
    { frontends: { cookieDomain: domain } }: AccountConfig,
  ) {
    this.accessName = accessCookieName(domain);
    this.accessScope = { ...EVERYWHERE, sameSite: 'lax', ...(domain !== undefined && { domain }) } as const;
  }

  set(reply: FastifyReply, tokens: SessionTokens): void {
    void reply
      .setCookie(this.accessName, tokens.access_token, { ...this.accessScope, maxAge: tokens.expires_in })
      .setCookie(REFRESH.name, tokens.refresh_token, {
        ...REFRESH.scope,
        // The server enforces the end of the session; this is an upper bound.
        maxAge: SESSION_TTL_SECONDS,
      });
  }

  /** Clears the cookies, unless the request comes from a page of another origin. */
  clear(reply: FastifyReply): void {
    if (!this.origins.allows(reply.request)) return;
    void reply.clearCookie(this.accessName, this.accessScope).clearCookie(REFRESH.name, REFRESH.scope);
  }

  /** Returns undefined for a repeated cookie. A browser sends one, so the request does not come from a browser. */
  refreshTokenOf(request: FastifyRequest): string | undefined {
    const values = cookieValues(request, REFRESH.name);
    return values.length === 1 ? values[0] : undefined;
  }

  /** Returns every value of both cookies, for sign-out: a cookie set by another host must not keep a session alive. */
  allTokensOf(request: FastifyRequest): SessionTokenTexts {
    const valuesOf = (name: string) =>
      [...new Set(cookieValues(request, name))].filter((value) => value !== '');
    return { access: valuesOf(this.accessName), refresh: valuesOf(REFRESH.name) };
  }

  /** Returns the tokens whose sessions a sign-out ends. A bearer token takes precedence over the access cookie. */
  signOutTokensOf(request: FastifyRequest): SessionTokenTexts {
    const { access, refresh } = this.allTokensOf(request);
    return { access: request.headers.authorization === undefined ? access : [], refresh };
  }
}
