import type { SessionTokens } from '@gpu-observatory/domain-types';
import { accessCookieName, cookieValues } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_TTL_SECONDS } from './lifetimes.ts';

/** Only routes below this path read the refresh token. */
const REFRESH_PATH = '/api/v1/auth';

/**
 * Session cookies (`docs/account-service.md#cookie-mode`). A cookie with `Path=/` and no domain has the `__Host-`
 * prefix, which no sibling host can set; the others have `__Secure-`.
 */
export class SessionCookies {
  readonly accessName: string;
  private readonly refreshName = '__Secure-refresh';

  /** @param domain parent domain whose hosts share the session; undefined for this host alone */
  constructor(private readonly domain: string | undefined) {
    this.accessName = accessCookieName(domain);
  }

  set(reply: FastifyReply, tokens: SessionTokens): void {
    void reply
      .setCookie(this.accessName, tokens.access_token, { ...this.scope('/'), maxAge: tokens.expires_in })
      .setCookie(this.refreshName, tokens.refresh_token, {
        ...this.scope(REFRESH_PATH),
        // The server enforces the end of the session; this is an upper bound.
        maxAge: SESSION_TTL_SECONDS,
      });
  }

  clear(reply: FastifyReply): void {
    void reply
      .clearCookie(this.accessName, this.scope('/'))
      .clearCookie(this.refreshName, this.scope(REFRESH_PATH));
  }

  /** Returns undefined for a repeated cookie: another host may have set one of the two. */
  refreshTokenOf(request: FastifyRequest): string | undefined {
    const values = cookieValues(request, this.refreshName);
    return values.length === 1 ? values[0] : undefined;
  }

  /** Returns every value of both cookies, for sign-out: a cookie set by another host must not keep a session alive. */
  allTokensOf(request: FastifyRequest): { access: string[]; refresh: string[] } {
    const valuesOf = (name: string) =>
      [...new Set(cookieValues(request, name))].filter((value) => value !== '');
    return { access: valuesOf(this.accessName), refresh: valuesOf(this.refreshName) };
  }

  private scope(path: string) {
    return {
      path,
      httpOnly: true,
      secure: true,
      sameSite: 'lax' as const,
      ...(this.domain !== undefined && { domain: this.domain }),
    };
  }
}
