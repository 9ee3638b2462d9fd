import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { accountFailures, DomainError } from '@gpu-observatory/error-envelopes';
import type { FastifyInstance } from 'fastify';

/**
 * Refuses a body that does not say it is JSON, with 415. It is also what keeps a form on a foreign page from posting
 * here: a form cannot send JSON, and a script of another origin has to ask first.
 */
export function refuseOtherThanJson(application: NestFastifyApplication): void {
  const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server.addHook('onRequest', (request, _reply, done) => {
    const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const hasBody = encoding !== undefined || (length !== undefined && Number(length) > 0);
    const mediaType = (type ?? '').split(';')[0]?.trim().toLowerCase();
    if (!hasBody || mediaType === 'application/json') return done();
    done(
      new DomainError(
        accountFailures.unsupportedMediaType,
        'Send the body as JSON, with "Content-Type: application/json".',
      ),
    );
  });
}
