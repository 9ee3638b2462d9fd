import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';

/** Browser origins that may use session cookies. */
export class AllowedOrigins {
  private readonly allowed: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.allowed = new Set(origins);
  }

  allows({ headers: { origin } }: FastifyRequest): boolean {
    return origin !== undefined && this.allowed.has(origin);
  }

  /** @throws {DomainError} 403 for a request without an allowed origin */
  check(request: FastifyRequest): void {
    if (this.allows(request)) return;
    throw new DomainError(
      accountErrors.forbidden,
      'Session cookies need an Origin header on the allowlist; other clients send "Accept: application/json".',
    );
  }
}
