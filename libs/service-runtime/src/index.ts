// What a service that responds to HTTP requests uses, on top of `./process.ts` and `./monitoring.ts`.

// Starts a service from its definition, and what its modules receive.
export { Runtime, RuntimeModule } from './runtime.ts';
export { type RunningService, runService, type ServiceDefinition, startService } from './start-service.ts';
// A further Nest application on Fastify, with the limits, headers, logs and metrics of the first.
export { createApplication } from './http/create-application.ts';
// Requests: bodies, text and names that a route accepts.
export { DefersInputCheck, findMalformedInput } from './http/malformed-input.ts';
export { isRepeatedHeader } from './http/repeated-header.ts';
export { AcceptsForm, RejectedBody } from './http/request-body.ts';
export {
  describeUnknown,
  InvalidRequest,
  NoParameters,
  RequestValidation,
  type Violations,
} from './validation/request-validation.ts';
// Limits the requests to a route, and the memory of unread responses.
export { WriteBuffer } from './http/write-buffer.ts';
export { RateLimited } from './rate-limits/rate-limit.guard.ts';
export { RateLimits } from './rate-limits/rate-limits.ts';
// Turns errors into responses.
export type { ErrorEnvelope } from './errors/envelopes.ts';
export { ErrorFilter } from './errors/error-filter.ts';
// Responses: content types, entity tags, caching and 304.
export { addVary, matchingEtag } from './http/compression.ts';
export { PAGE_TYPES, preferredPageType, withoutTypeParameters } from './negotiation/preferences.ts';
export { jsonRepresentation, Representation } from './negotiation/representation.ts';
export {
  IMMUTABLE,
  PAGE_VARY,
  PRIVATE,
  PUBLIC,
  sendRepresentation,
  startResponse,
} from './negotiation/send-representation.ts';
// The errors and examples of operations in the OpenAPI document.
export { errorResponsesDecorator } from './openapi/error-responses.ts';
export type { OperationExample } from './openapi/examples.ts';
