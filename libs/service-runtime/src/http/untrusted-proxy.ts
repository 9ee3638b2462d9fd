import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../health/readiness.ts';
import type { Logger } from '../logging/logger.ts';

/**
 * Reports once that X-Forwarded-For arrives although no proxy is trusted. Every client of that proxy then shares one
 * network in rate limits and audit (docs/services.md#proxies).
 */
export function reportUntrustedProxy(server: FastifyInstance, readiness: Readiness, logger: Logger): void {
  let reported = false;
  server.addHook('onRequest', (request, _reply, done) => {
    if (!reported && request.headers['x-forwarded-for'] !== undefined) {
      reported = true;
      const note = `X-Forwarded-For from ${request.ip} is ignored: TRUSTED_PROXIES is empty`;
      logger.warn(`${note}; rate limits and audit see the address of the proxy`);
      readiness.register(
        'trusted-proxies',
        () => null,
        () => note,
      );
    }
    done();
  });
}
