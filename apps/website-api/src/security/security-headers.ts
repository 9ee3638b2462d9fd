import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** Content security policy of `/docs`: Swagger UI needs its own script and inline styles. */
const REFERENCE_POLICY =
  "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;" +
  "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** Forbids scripts, third-party resources and referrers with paths on every page. */
export function useSecurityHeaders(application: NestFastifyApplication): void {
  application.useSecurityHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: "'none'",
        styleSrc: "'self'",
        imgSrc: "'self'",
        baseUri: "'none'",
        formAction: "'self'",
        frameAncestors: "'none'",
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Other teams may operate subdomains of the host without HTTPS.
    strictTransportSecurity: { includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    // Public content may be embedded by any origin.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
  const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server.addHook('onRequest', (request, reply, done) => {
    if (/^\/docs(\/|$)/.test(request.routeOptions.url ?? '')) {
      void reply.header('content-security-policy', REFERENCE_POLICY);
    }
    done();
  });
}
