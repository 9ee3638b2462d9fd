import { Injectable } from '@nestjs/common';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';
import { AccountConfig } from '../config/account.config.ts';

/** Browser origins that may use session cookies. */
@Injectable()
export class AllowedOrigins {
  private readonly allowed: ReadonlySet<string>;

  constructor({ service }: AccountConfig) {
    this.allowed = new Set(service.allowedOrigins);
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
