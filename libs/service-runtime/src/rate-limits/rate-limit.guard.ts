import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './network-of.ts';
import { RateLimits } from './rate-limits.ts';

const ACTION = 'rate-limited action';

/** Limits the requests to a route or controller: per user where the route requires a token, else per network. */
export const RateLimited = (action: string) =>
  applyDecorators(SetMetadata(ACTION, action), UseGuards(RateLimitGuard));

/** Counts the request before pipes, interceptors and handler run. */
@Injectable()
class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { method, caller, ip } = http.getRequest<FastifyRequest & { caller?: { userId: number } }>();
    // Limited routes respond to HEAD without running their handler.
    if (method === 'HEAD') return true;
    const places = [context.getHandler(), context.getClass()];
    const action = this.reflector.getAllAndOverride<string>(ACTION, places);
    const subject = caller ? `user:${caller.userId}` : networkOf(ip);
    await this.rateLimits.count(action, subject, http.getResponse<FastifyReply>());
    return true;
  }
}
