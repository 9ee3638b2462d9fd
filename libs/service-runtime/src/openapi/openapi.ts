import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';

export interface OpenApiOptions {
  title: string;
  description: string;
  version: string;
  /** Whether the API accepts bearer tokens. */
  bearer: boolean;
}

/** Builds the service's OpenAPI 3.1 document from its controllers. */
export function buildOpenApiDocument(application: INestApplication, options: OpenApiOptions): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(options.title)
    .setDescription(options.description)
    .setVersion(options.version)
    .setLicense('MIT', 'https://opensource.org/license/mit');
  if (options.bearer)
    builder.addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'bearer');
  return SwaggerModule.createDocument(application, builder.build(), {
    // Operation ids are the controllers' method names, which are unique within a service.
    operationIdFactory: (_controller, method) => method,
  });
}

/** Content security policy of `/docs`: Swagger UI needs its own script and inline styles. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;" +
  "connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'";

/** Serves the document at `/openapi.json` and as a readable page at `/docs`. */
export function serveOpenApi(application: INestApplication, document: OpenAPIObject): void {
  const server = application.getHttpAdapter().getInstance() as FastifyInstance;
  server.addHook('onRequest', (request, reply, done) => {
    if (/^\/docs(\/|$)/.test(request.routeOptions.url ?? '')) {
      void reply
        .header('content-security-policy', CONTENT_SECURITY_POLICY)
        .header('referrer-policy', 'no-referrer');
    }
    done();
  });
  SwaggerModule.setup('docs', application, document, {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: document.info.title,
  });
}
