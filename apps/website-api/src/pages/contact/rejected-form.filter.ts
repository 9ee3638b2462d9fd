import { DependencyUnavailable, DomainError, websiteErrors } from '@gpu-observatory/service-runtime/process';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SitePages } from '../site-pages.tsx';
import type { SubmittedForm } from './contact-form.html.tsx';

/** Sends the rejection page for errors before the route handler runs: body size, content type or syntax. */
export function handleRejectedForms(server: FastifyInstance, pages: SitePages): void {
  server.addHook('onRoute', (route) => {
    if (route.url !== '/contact' || route.method !== 'POST') return;
    route.errorHandler = (failure, request, reply) => sendRejectedForm(failure, request, reply, pages);
  });
}

/**
 * Sends an HTML page with the reason, the status of the error, and the form with its values.
 *
 * @throws the failure itself if it is unexpected
 */
export function sendRejectedForm(
  failure: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  pages: SitePages,
  form?: SubmittedForm,
): void {
  if (failure instanceof DependencyUnavailable)
    request.log.error({ err: failure }, 'a backing service is unavailable');
  const { status, reason, headers } = rejectionOf(failure);
  // The form shows each error at its field.
  const lead = form?.errors.size ? 'Please correct the marked fields.' : reason;
  void reply
    .status(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(pages.contactNotSent(lead, form).html().text);
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
    if (status === 415)
      return { status, reason: 'Send the form as application/x-www-form-urlencoded.', headers: {} };
    if (status >= 400 && status < 500) return { status, reason: `${failure.message}.`, headers: {} };
  }
  throw failure;
}
