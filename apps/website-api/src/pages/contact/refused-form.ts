import { DependencyUnavailable, DomainError, websiteErrors } from '@gpu-observatory/error-envelopes';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SitePages } from '../site-pages.ts';

/** Answers a form that is refused before its route sees it (its size, its type, its text) as its route would. */
export function answerRefusedForms(server: FastifyInstance, pages: SitePages): void {
  server.addHook('onRoute', (route) => {
    if (route.url !== '/contact' || route.method !== 'POST') return;
    route.errorHandler = (failure, request, reply) => answerRefusedForm(failure, request, reply, pages);
  });
}

/**
 * Answers a browser with a page that says why, at the status of the refusal.
 *
 * @throws whatever is no refusal
 */
export function answerRefusedForm(
  failure: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  pages: SitePages,
): void {
  if (failure instanceof DependencyUnavailable)
    request.log.error({ err: failure }, 'a backing service is away');
  const { status, reason, headers } = refusalIn(failure);
  void reply
    .status(status)
    .headers({ ...headers, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(pages.contactNotSent(reason).html().text);
}

interface Refusal {
  status: number;
  reason: string;
  headers: Readonly<Record<string, string>>;
}

function refusalIn(failure: unknown): Refusal {
  if (failure instanceof DomainError) {
    return { status: failure.kind.status, reason: failure.message, headers: failure.headers };
  }
  if (failure instanceof DependencyUnavailable) {
    const reason = 'Requests cannot be stored just now; send yours again in a moment.';
    return { status: websiteErrors.serviceUnavailable.status, reason, headers: { 'retry-after': '1' } };
  }
  if (failure instanceof Error && failure.name === 'FastifyError') {
    const status = Number((failure as FastifyError).statusCode);
    if (status >= 400 && status < 500) return { status, reason: `${failure.message}.`, headers: {} };
  }
  throw failure;
}
