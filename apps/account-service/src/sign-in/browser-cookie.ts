import { cookieValues } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CODE_TTL_SECONDS } from '../authorization-codes/authorization-codes.service.ts';
import { isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';
import { ATTEMPT_TTL_SECONDS } from './sign-in-attempts.ts';

/**
 * The `__Host-` prefix keeps other hosts from setting the cookie. Over http, browsers accept it from localhost only.
 */
const COOKIE = '__Host-sign-in';

/**
 * Returns the secret that identifies this browser from the start of a sign-in to the exchange of its code, and sets it if
 * missing. Several tabs share it.
 */
export function ensureBrowserSecret(request: FastifyRequest, reply: FastifyReply): string {
  const existing = browserSecretOf(request);
  const secret = isOpaqueToken(existing) ? existing : newOpaqueToken();
  void reply.setCookie(COOKIE, secret, {
    path: '/',
    httpOnly: true,
    secure: true,
    // Lax rather than Strict: the redirect back from the provider is a cross-site navigation.
    sameSite: 'lax',
    maxAge: ATTEMPT_TTL_SECONDS + CODE_TTL_SECONDS,
  });
  return secret;
}

/** Returns undefined for a repeated cookie: another host may have set one of the two. */
export function browserSecretOf(request: FastifyRequest): string | undefined {
  const [secret, ...more] = cookieValues(request, COOKIE);
  return more.length === 0 ? secret : undefined;
}
