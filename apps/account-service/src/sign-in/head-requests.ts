import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, of } from 'rxjs';

/**
 * Responds to HEAD without running the route. Fastify runs a GET route for HEAD too, but HEAD is safe (RFC 9110, section
 * 9.2.1): a link checker or prefetch must not start a sign-in, nor use up the one that is in progress.
 */
@Injectable()
export class HeadRequests implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    if (http.getRequest<FastifyRequest>().method !== 'HEAD') return next.handle();
    void http.getResponse<FastifyReply>().status(204).header('cache-control', 'no-store').send();
    return of(undefined);
  }
}
