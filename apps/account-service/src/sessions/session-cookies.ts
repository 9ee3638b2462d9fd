import type { SessionTokens } from '@gpu-observatory/domain-types';
import { accessCookieName, cookieValues } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_TTL_SECONDS } from './sessions.service.ts';

/** The only paths that ever need the refresh token. */
const REFRESH_PATH = '/api/v1/auth';

/**
 * A browser's session (decisions, section 3, Cookie mode): HttpOnly, Secure, SameSite=Lax. A cookie that no path or
 * domain narrows or widens is `__Host-`, which no sibling host can plant; the others are `__Secure-`.
 */
export class SessionCookies {
  readonly accessName: string;
  private readonly refreshName = '__Secure-refresh';

  /** @param domain the parent domain whose hosts share the session, if any */
  constructor(private readonly domain: string | undefined) {
    this.accessName = accessCookieName(domain);
  }

  set(reply: FastifyReply, tokens: SessionTokens): void {
    void reply
      .setCookie(this.accessName, tokens.access_token, { ...this.scope('/'), maxAge: tokens.expires_in })
      .setCookie(this.refreshName, tokens.refresh_token, {
        ...this.scope(REFRESH_PATH),
        // The session's end is the server's to say; the browser may drop it later but never needs it longer.
        maxAge: SESSION_TTL_SECONDS,
      });
  }

  clear(reply: FastifyReply): void {
    void reply
      .clearCookie(this.accessName, this.scope('/'))
      .clearCookie(this.refreshName, this.scope(REFRESH_PATH));
  }

  /** A cookie that comes twice counts as none: one of the two was planted. */
  refreshTokenOf(request: FastifyRequest): string | undefined {
    const values = cookieValues(request, this.refreshName);
    return values.length === 1 ? values[0] : undefined;
  }

  /** Every value of either cookie, for sign-out: who plants another must not keep a session from its end. */
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
