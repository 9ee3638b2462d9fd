import type { IncomingMessage } from 'node:http';
import { type CanActivate, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { isRepeatedHeader } from '@gpu-observatory/service-runtime';
import { DomainError, type ErrorKind } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';
import { type AccessCookie, cookieValues } from './access-cookie.ts';
import type { Caller } from './claims.ts';
import type { TokenVerifier } from './token-verifier.ts';

/** A challenge needs at least one attribute (RFC 6750, section 3). */
const REALM = 'Bearer realm="gpu-observatory"';
const PUBLIC_ROUTE = 'public-route';

/** Marks a route without authentication. The service's `public-routes.txt` lists them all. */
export const PublicRoute = () => SetMetadata(PUBLIC_ROUTE, true);

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller, set by the guard. */
    caller?: Caller;
  }
}

/** Injects the authenticated caller into a controller's parameter. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('CurrentCaller on a route that the guard does not protect');
  return caller;
});

/** Methods without side effects (RFC 9110, section 9.2.1). Another origin may send them but cannot read the response. */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Requires a valid access token in `Authorization: Bearer` or, if the service accepts it, in the access cookie. Applies to
 * every route without `PublicRoute`. A header takes precedence over the cookie, even if it is invalid.
 *
 * @throws {DomainError} the service's 401, or the cookie's `forbidden` for a write from a page of another origin
 */
export class BearerGuard implements CanActivate {
  private readonly reflector = new Reflector();
  private readonly challenge: string;

  /** @param metadataUrl URL of the service's OAuth metadata (RFC 9728, section 5.1) */
  constructor(
    private readonly verifier: TokenVerifier,
    private readonly unauthorized: ErrorKind,
    private readonly cookie?: AccessCookie,
    metadataUrl?: string,
  ) {
    this.challenge = metadataUrl === undefined ? REALM : `${REALM}, resource_metadata="${metadataUrl}"`;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC_ROUTE, places)) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = this.tokenOf(request.raw);
    if (token === null) {
      throw this.unauthorizedError(
        'Send the access token as "Authorization: Bearer <ACCESS_TOKEN>".',
        this.challenge,
      );
    }
    const caller = await this.verifier.verify(token);
    if (caller === null) {
      throw this.unauthorizedError(
        'The access token is not valid, has expired or was revoked.',
        `${this.challenge}, error="invalid_token"`,
      );
    }
    request.caller = caller;
    return true;
  }

  /** Whether the token of a caller is still valid, for requests that take long. */
  isCurrent(caller: Caller): boolean {
    return this.verifier.isCurrent(caller);
  }

  private tokenOf(request: IncomingMessage): string | null {
    return request.headers.authorization === undefined ? this.cookieToken(request) : bearerToken(request);
  }

  /** Returns the token in the access cookie, or null. */
  private cookieToken(request: IncomingMessage): string | null {
    if (!this.cookie) return null;
    const { name, allowedOrigins, forbidden } = this.cookie;
    const [token, ...more] = cookieValues(request, name);
    if (token === undefined) return null;
    if (more.length > 0)
      throw this.unauthorizedError(`The cookie ${name} must be sent once.`, this.challenge);
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && allowedOrigins.includes(origin);
    if (isAllowed || SAFE_METHODS.includes(request.method ?? '')) return token;
    throw new DomainError(
      forbidden,
      'A write with the session cookie must come from a page of an allowed origin; other clients send the access token as "Authorization: Bearer <ACCESS_TOKEN>".',
    );
  }

  private unauthorizedError(message: string, challenge: string): DomainError {
    return new DomainError(this.unauthorized, message, { headers: { 'www-authenticate': challenge } });
  }
}

/** Returns the token of a bearer header (RFC 6750, section 2.1), or null without exactly one such header. */
function bearerToken(request: IncomingMessage): string | null {
  if (isRepeatedHeader(request, 'authorization')) return null;
  return /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}
