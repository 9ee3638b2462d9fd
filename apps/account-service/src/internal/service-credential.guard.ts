import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import type { FastifyRequest } from 'fastify';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Requires the credential that all services of a deployment share. */
@Injectable()
export class ServiceCredentialGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(credential: string) {
    this.expected = digest(credential);
  }

  canActivate(context: ExecutionContext): boolean {
    const { authorization = '' } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    const presented = /^Bearer (.+)$/i.exec(authorization)?.[1] ?? '';
    // Digests have equal lengths, as `timingSafeEqual` requires, and hide the length of the credential.
    if (timingSafeEqual(digest(presented), this.expected)) return true;
    throw new DomainError(
      accountErrors.unauthorized,
      'Send the service credential as "Authorization: Bearer <INTERNAL_CREDENTIAL>".',
      { headers: { 'www-authenticate': 'Bearer' } },
    );
  }
}
