import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import type { FastifyRequest } from 'fastify';

/** The browser origins that may use cookies here. */
export class AllowedOrigins {
  private readonly allowed: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.allowed = new Set(origins);
  }

  allows({ headers: { origin } }: FastifyRequest): boolean {
    return origin !== undefined && this.allowed.has(origin);
  }

  /** @throws {DomainError} 403 when a browser of another origin, or no browser, asks */
  check(request: FastifyRequest): void {
    if (this.allows(request)) return;
    throw new DomainError(
      accountErrors.forbidden,
      'Cookies are for browsers of an allowed origin; other clients send "Accept: application/json".',
    );
  }
}
