// What a service that responds to HTTP requests uses, on top of `./process.ts`.

// Starts a service from its definition, and what its modules receive.
export * from './runtime.ts';
export * from './start-service.ts';

// The Nest application on Fastify: limits of requests, CORS, request ids, compression, and the memory of unread responses.
export * from './http/compression.ts';
export * from './http/cors.ts';
export * from './http/create-application.ts';
export { AcceptsForm, RejectedBody } from './http/request-body.ts';
export { sendLongBodiesInPieces } from './http/long-bodies.ts';
export * from './http/malformed-input.ts';
export * from './http/request-id.ts';
export * from './http/write-buffer.ts';

// Validation of query strings and bodies.
export * from './validation/request-validation.ts';

// Turns errors into responses.
export * from './errors/error-filter.ts';

// Limits the requests to a route.
export * from './rate-limits/rate-limit.guard.ts';

// Repositories of entities for Nest's injection.
export * from './database/entity-module.ts';

// Content types, entity tags and conditional responses.
export * from './negotiation/preferences.ts';
export * from './negotiation/representation.ts';
export * from './negotiation/send-representation.ts';

// The OpenAPI document with examples and errors.
export * from './openapi/error-responses.ts';
export type { OperationExample } from './openapi/examples.ts';
export * from './openapi/openapi.ts';
