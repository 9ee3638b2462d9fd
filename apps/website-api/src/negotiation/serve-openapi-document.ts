import { buildOpenApiDocument, type OpenApiOptions } from '@gpu-observatory/service-runtime';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { jsonRepresentation, type Representation } from './representation.ts';
import { sendRepresentation } from './send-representation.ts';

/** Replaces the handler of `/openapi.json`: the framework's response has no entity tag and is not compressed. */
export function serveOpenApiDocument(
  application: NestFastifyApplication,
  server: FastifyInstance,
  options: OpenApiOptions,
): void {
  let document: Representation | undefined;
  const handler = (request: FastifyRequest, reply: FastifyReply): void => {
    document ??= jsonRepresentation(buildOpenApiDocument(application, options));
    sendRepresentation(request, reply, document);
  };
  server.addHook('onRoute', (route) => {
    if (route.url === '/openapi.json') route.handler = handler;
  });
}
