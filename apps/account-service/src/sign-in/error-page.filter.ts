import { type ArgumentsHost, Catch } from '@nestjs/common';
import { ErrorFilter } from '@gpu-observatory/service-runtime';
import { accountEnvelope, DomainError } from '@gpu-observatory/service-runtime/process';
import { escapeHtml, NOTICE_CONTENT_SECURITY_POLICY, noticePage } from '@gpu-observatory/visual-identity';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsJson } from '../requests/accept.ts';

/** In addition to the policy of every notice page. */
const CONTENT_SECURITY_POLICY = `${NOTICE_CONTENT_SECURITY_POLICY}; form-action 'none'`;

/** Shows rejected sign-ins as a page to a user in a browser. Other clients get the JSON of the error filter. */
@Catch(DomainError)
export class ErrorPage extends ErrorFilter {
  constructor() {
    super(accountEnvelope);
  }

  override catch(error: DomainError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { accept } = http.getRequest<FastifyRequest>().headers;
    const wantsPage = /\btext\/html\b/i.test(accept ?? '') && !acceptsJson(accept);
    if (wantsPage) sendPage(http.getResponse<FastifyReply>(), error);
    else super.catch(error, host);
  }
}

function sendPage(reply: FastifyReply, { kind, message, headers }: DomainError): void {
  void reply
    .status(kind.status)
    .headers(headers)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('cache-control', 'no-store')
    .send(
      noticePage({
        title: 'The sign-in cannot continue',
        main:
          `<p class="cause"><strong>${escapeHtml(kind.code)}.</strong> ${escapeHtml(message)}</p>` +
          '<p>Return to the application and start again.</p>',
        footer:
          'If this page comes back, the operator of the application must correct its link or the configuration of ' +
          'the account service.',
      }),
    );
}
