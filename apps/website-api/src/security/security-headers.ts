import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/** Swagger's page brings inline styles of its own; scripts stay ours alone. */
const REFERENCE_POLICY =
  "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;" +
  "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** Browsers run no script of a page here, load nothing from elsewhere and tell nobody where a reader came from. */
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
    // The host's other names may not be ours to bind to HTTPS.
    strictTransportSecurity: { includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    // Public content may be read and embedded from anywhere.
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
