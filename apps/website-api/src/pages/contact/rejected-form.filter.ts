import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable } from '@nestjs/common';
import { InvalidRequest } from '@gpu-observatory/service-runtime';
import { DependencyUnavailable, DomainError, websiteErrors } from '@gpu-observatory/service-runtime/process';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SitePages } from '../site-pages.tsx';
import type { SubmittedForm } from './contact-form.html.tsx';

/** Sends a page with the reason, the status of the error, and the form with its values. */
@Injectable()
@Catch(DomainError, DependencyUnavailable)
export class RejectedFormFilter implements ExceptionFilter {
  constructor(private readonly pages: SitePages) {}

  catch(failure: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const values = (request.body ?? {}) as Record<string, string>;
    const errors = failure instanceof InvalidRequest ? failure.violations.messageByField : new Map();
    this.send(failure, request, host.switchToHttp().getResponse(), { values, errors });
  }

  /** Sends the page for errors before the route handler runs, too: body size, content type or syntax. */
  handleEarlyErrors(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      if (route.url !== '/contact' || route.method !== 'POST') return;
      route.errorHandler = (failure, request, reply) => this.send(failure, request, reply);
    });
  }

  /** @throws the failure itself if it is unexpected */
  private send(failure: unknown, request: FastifyRequest, reply: FastifyReply, form?: SubmittedForm): void {
    if (failure instanceof DependencyUnavailable)
      request.log.error({ err: failure }, 'a backing service is unavailable');
    const { status, reason, headers } = rejectionOf(failure);
    // The form shows each error at its field.
    const lead = form?.errors.size ? 'Please correct the marked fields.' : reason;
    void reply
      .status(status)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(this.pages.contactNotSent(lead, form).html().text);
  }
}

interface Rejection {
  status: number;
  reason: string;
  headers: Readonly<Record<string, string>>;
}

function rejectionOf(failure: unknown): Rejection {
  if (failure instanceof DomainError) {
    return { status: failure.kind.status, reason: failure.message, headers: failure.headers };
  }
  if (failure instanceof DependencyUnavailable) {
    const reason = 'The request cannot be stored at the moment. Please send it again in a few seconds.';
    return { status: websiteErrors.serviceUnavailable.status, reason, headers: { 'retry-after': '1' } };
  }
  if (failure instanceof Error && failure.name === 'FastifyError') {
    const status = Number((failure as FastifyError).statusCode);
    if (status >= 400 && status < 500) return { status, reason: `${failure.message}.`, headers: {} };
  }
  throw failure;
}
