import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { DomainError } from '@gpu-observatory/error-envelopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, type Observable, of } from 'rxjs';
import { acceptsJson } from '../requests/accept.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1.5rem}' +
  'h1{font-size:1.5rem;text-wrap:balance}';
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Shows rejected sign-ins as a page to a user in a browser. Other clients get the JSON of the error filter. */
@Injectable()
export class ErrorPage implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { accept } = http.getRequest<FastifyRequest>().headers;
    if (!/\btext\/html\b/i.test(accept ?? '') || acceptsJson(accept)) return next.handle();
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        send(http.getResponse<FastifyReply>(), error);
        return of(undefined);
      }),
    );
  }
}

function send(reply: FastifyReply, { kind, message, headers }: DomainError): void {
  const [title, detail] = [kind.code, message].map(escapeHtml);
  void reply
    .status(kind.status)
    .headers(headers)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('cache-control', 'no-store')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">` +
        `<meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>` +
        `<body><h1>The sign-in cannot continue: ${title}</h1><p>${detail}</p>` +
        `<p>Return to the application and start again. If this page comes back, its operator must correct the link or ` +
        `the configuration of the account service.</p></body></html>\n`,
    );
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}
