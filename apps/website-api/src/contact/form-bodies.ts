import { DomainError, websiteErrors } from '@gpu-observatory/error-envelopes';
import type { FastifyInstance } from 'fastify';

/** Lets the contact page's form be sent without a script. Everywhere else bodies stay JSON. */
export function readContactForms(server: FastifyInstance): void {
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
          done(new DomainError(websiteErrors.badRequest, `The field "${name}" came twice; send it once.`));
          return;
        }
        seen.add(name);
      }
      // Browsers send lines of a text with both characters (HTML standard, section 4.10.21.4).
      done(null, Object.fromEntries(fields.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')])));
    },
  );
}
