import type { FastifyRequest } from 'fastify';
import { acceptsJson } from '../requests/accept.ts';

/** How a client receives its session: tokens in JSON, or cookies (`docs/account-service.md#cookie-mode`). */
export type SessionMode = 'json' | 'cookies';

export function sessionModeOf({ headers }: Pick<FastifyRequest, 'headers'>): SessionMode {
  return acceptsJson(headers.accept) ? 'json' : 'cookies';
}
