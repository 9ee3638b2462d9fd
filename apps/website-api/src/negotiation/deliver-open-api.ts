import { buildOpenApiDocument, type OpenApiOptions } from '@gpu-observatory/service-runtime';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { deliver } from './deliver.ts';
import { jsonRepresentation, type Representation } from './representation.ts';

/** Lets `/openapi.json` be kept as other content is: the framework's own answer has no tag, and is not packed. */
export function deliverOpenApi(
  application: NestFastifyApplication,
  server: FastifyInstance,
  options: OpenApiOptions,
): void {
  let document: Representation | undefined;
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    document ??= jsonRepresentation(buildOpenApiDocument(application, options));
    deliver(request, reply, document);
  };
  server.addHook('onRoute', (route) => {
    if (route.url === '/openapi.json') route.handler = answer;
  });
}
