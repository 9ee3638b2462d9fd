import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';
import type { FastifyRequest } from 'fastify';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets in who shows the credential that the services of one deployment share. */
@Injectable()
export class ServiceCredentialGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(credential: string) {
    this.expected = digest(credential);
  }

  canActivate(context: ExecutionContext): boolean {
    const { authorization = '' } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    const given = /^Bearer (.+)$/i.exec(authorization)?.[1] ?? '';
    // Digests are of one length, so the comparison's time says nothing of the credential.
    if (timingSafeEqual(digest(given), this.expected)) return true;
    throw new DomainError(
      accountErrors.unauthorized,
      'Send the services’ credential as "Authorization: Bearer <INTERNAL_CREDENTIAL>".',
      { headers: { 'www-authenticate': 'Bearer' } },
    );
  }
}
