import { METHODS } from '@gpu-observatory/api-reference';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonRepresentation } from '../negotiation/representation.ts';
import { sendRepresentation } from '../negotiation/send-representation.ts';
import { addExamples, type OperationExample } from './examples.ts';

/** The OAuth 2.0 client credentials grant, with which a program gets a bearer token. */
interface ClientCredentials {
  tokenUrl: string;
  /** Descriptions by scope. */
  scopes: Record<string, string>;
}

export interface OpenApiOptions {
  title: string;
  description: string;
  version: string;
  /** Credentials that the API accepts. */
  credentials?: { bearer?: boolean; apiKeyHeader?: string; clientCredentials?: ClientCredentials };
  /** Description of each tag of the operations, in the order of the API reference. */
  tags: Readonly<Record<string, string>>;
  /** Example of each operation, by operation id. */
  examples: Readonly<Record<string, OperationExample>>;
}

/**
 * Builds the service's OpenAPI 3.1 document from its controllers.
 *
 * @throws {Error} if an operation has no example, or an example no operation
 */
export function buildOpenApiDocument(application: INestApplication, options: OpenApiOptions): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(options.title)
    .setDescription(options.description)
    .setVersion(options.version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    // Relative to the URL of the document, so that it is right for every name of the service.
    .addServer('/', 'The service that serves this document');
  const { bearer = false, apiKeyHeader, clientCredentials } = options.credentials ?? {};
  if (bearer) builder.addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer');
  if (clientCredentials)
    builder.addOAuth2({ type: 'oauth2', flows: { clientCredentials } }, 'clientCredentials');
  if (apiKeyHeader !== undefined)
    builder.addApiKey({ type: 'apiKey', in: 'header', name: apiKeyHeader }, 'apiKey');
  for (const [name, description] of Object.entries(options.tags)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(application, builder.build(), {
    // Operation ids are the controllers' method names, which are unique within a service.
    operationIdFactory: (_controller, method) => method,
  });
  for (const item of Object.values(document.paths)) {
    // Without it, tools assume that the security of a public operation was forgotten.
    for (const method of METHODS) if (item[method]) item[method].security ??= [];
  }
  addExamples(document, options.examples);
  return document;
}

/** Serves the document at `/openapi.json`. */
export function serveOpenApi(server: FastifyInstance, document: OpenAPIObject): void {
  const json = jsonRepresentation(document);
  server.get('/openapi.json', (request, reply) => sendRepresentation(request, reply, json));
}
