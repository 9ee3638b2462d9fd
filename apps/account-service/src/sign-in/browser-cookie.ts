import { cookieValues } from '@gpu-observatory/token-verification';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOpaqueToken, newOpaqueToken } from '../secrets/opaque-token.ts';
import { ATTEMPT_TTL_SECONDS } from './sign-in-attempts.ts';

/** `__Host-`: no other host, not even a sibling, can plant it. Browsers take it over http from localhost only. */
const COOKIE = '__Host-sign-in';

/** The secret that tells this browser from others while it signs in; several tabs share it. */
export function ensureBrowserSecret(request: FastifyRequest, reply: FastifyReply): string {
  const given = browserSecretOf(request);
  const secret = isOpaqueToken(given) ? given : newOpaqueToken();
  void reply.setCookie(COOKIE, secret, {
    path: '/',
    httpOnly: true,
    secure: true,
    // Lax, not Strict: it has to come along when the provider sends the browser back.
    sameSite: 'lax',
    maxAge: ATTEMPT_TTL_SECONDS,
  });
  return secret;
}

/** A cookie that comes twice counts as none: one of the two was planted. */
export function browserSecretOf(request: FastifyRequest): string | undefined {
  const [secret, ...more] = cookieValues(request, COOKIE);
  return more.length === 0 ? secret : undefined;
}
