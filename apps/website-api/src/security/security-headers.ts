import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Forbids inline scripts, third-party resources and referrers with paths on every page. */
export function useSecurityHeaders(application: NestFastifyApplication): void {
  application.useSecurityHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: "'none'",
        scriptSrc: "'self'",
        styleSrc: "'self'",
        imgSrc: "'self'",
        // Lighthouse reads /robots.txt as a page of the site would.
        connectSrc: "'self'",
        baseUri: "'none'",
        formAction: "'self'",
        frameAncestors: "'none'",
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Every service sets it (libs/service-runtime).
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    // Public content may be embedded by any origin.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
}
