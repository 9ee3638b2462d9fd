import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { NoParameters } from '@gpu-observatory/service-runtime';
import type { FastifyRequest } from 'fastify';
import { requestValidation } from './request-validation.ts';

/** Rejects query parameters before the body is validated. Nest runs the pipes of all arguments concurrently. */
@Injectable()
export class NoParametersGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { query } = context.switchToHttp().getRequest<FastifyRequest>();
    await requestValidation.transform(query, { type: 'query', metatype: NoParameters });
    return true;
  }
}
