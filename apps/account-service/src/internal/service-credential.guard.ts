import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';
import { AccountConfig } from '../config/account.config.ts';
import type { InternalRoute, ServiceCredential } from '../config/internal.config.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const ROUTE = 'internal route';

/** Identifies a route, for credentials that are valid for some routes only. */
export const ForServices = (route: InternalRoute): ClassDecorator => SetMetadata(ROUTE, route);

/** Requires a credential of a calling service. */
@Injectable()
export class ServiceCredentialGuard implements CanActivate {
  private readonly accepted: (Pick<ServiceCredential, 'routes'> & { digest: Buffer })[];

  constructor(
    private readonly reflector: Reflector,
    { internal }: AccountConfig,
  ) {
    this.accepted = internal.credentials.map(({ secret, routes }) => ({ routes, digest: digest(secret) }));
  }

  canActivate(context: ExecutionContext): boolean {
    const { authorization = '' } = context.switchToHttp().getRequest<FastifyRequest>().headers;
    const presented = digest(/^Bearer (.+)$/i.exec(authorization)?.[1] ?? '');
    // Digests have equal lengths, as `timingSafeEqual` requires, and hide the length of the credential.
    const matching = this.accepted.filter((each) => timingSafeEqual(presented, each.digest));
    if (matching.length === 0) {
      throw new DomainError(
        accountErrors.unauthorized,
        'Send the service credential as "Authorization: Bearer <INTERNAL_CREDENTIAL>".',
        { headers: { 'www-authenticate': 'Bearer' } },
      );
    }
    const route = this.reflector.get<InternalRoute>(ROUTE, context.getClass());
    if (matching.some(({ routes }) => routes === 'all' || routes.includes(route))) return true;
    throw new DomainError(
      accountErrors.forbidden,
      'The credential of this service is not valid for this route.',
    );
  }
}
