import { Catch } from '@nestjs/common';
import { ErrorFilter } from '@gpu-observatory/service-runtime';
import { oauthEnvelope } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';

/** Path of the token endpoint. */
export const TOKEN_PATH = '/oauth/token';

/** Turns every error of the token endpoint into the format of RFC 6749, section 5.2. */
@Catch()
export class OAuthErrorFilter extends ErrorFilter {
  constructor() {
    super(oauthEnvelope);
  }

  /** Formats errors before the route handler runs, too: body size, content type or syntax. */
  handleEarlyErrors(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      if (route.url !== TOKEN_PATH) return;
      route.errorHandler = (failure, request, reply) => this.send(failure, request, reply);
    });
  }
}
