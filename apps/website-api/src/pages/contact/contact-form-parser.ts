import { DomainError, echo, websiteErrors } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';

/** Accepts form bodies at `POST /contact`, so that the contact form works without a script. */
export function parseContactForms(server: FastifyInstance): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body: string, done) => {
      if (request.routeOptions.url !== '/contact') {
        done(new DomainError(websiteErrors.unsupportedMediaType, 'Send the body as application/json.'));
        return;
      }
      const fields = [...new URLSearchParams(body)];
      const seen = new Set<string>();
      for (const [name] of fields) {
        if (seen.has(name)) {
          done(new DomainError(websiteErrors.badRequest, `The field "${echo(name)}" occurs more than once.`));
          return;
        }
        seen.add(name);
      }
      // Browsers send line breaks as CRLF: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html
      done(null, Object.fromEntries(fields.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')])));
    },
  );
}
