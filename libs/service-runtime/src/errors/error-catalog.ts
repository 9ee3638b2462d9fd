/** All error kinds of the services. A test compares them with `docs/errors.md`. */

/** Errors of fleet-api, body `{error, message}`. */
export const fleetErrors = {
  unauthorized: { code: 'unauthorized', status: 401 },
  invalidQuery: { code: 'invalid_query', status: 400 },
  invalidCursor: { code: 'invalid_cursor', status: 400 },
  notFound: { code: 'not_found', status: 404 },
  requestTimeout: { code: 'request_timeout', status: 408 },
  expectationFailed: { code: 'expectation_failed', status: 417 },
  tooManyRequests: { code: 'too_many_requests', status: 429 },
  headersTooLarge: { code: 'request_header_fields_too_large', status: 431 },
  upstreamError: { code: 'upstream_error', status: 502 },
  internalServerError: { code: 'internal_server_error', status: 500 },
} as const;

/** Errors of account-service, body `{title, detail}`. */
export const accountErrors = {
  invalidRequest: { code: 'Invalid Request', status: 400 },
  invalidFrontendUrl: { code: 'Invalid Frontend URL', status: 400 },
  unauthorized: { code: 'Unauthorized', status: 401 },
  invalidCode: { code: 'Invalid Code', status: 401 },
  invalidRefreshToken: { code: 'Invalid Refresh Token', status: 401 },
  domainNotAllowed: { code: 'domain_not_allowed', status: 403 },
  googleWorkspaceRequired: { code: 'google_workspace_required', status: 403 },
  forbidden: { code: 'Forbidden', status: 403 },
  notFound: { code: 'Not Found', status: 404 },
  requestTimeout: { code: 'Request Timeout', status: 408 },
  conflict: { code: 'Conflict', status: 409 },
  payloadTooLarge: { code: 'Payload Too Large', status: 413 },
  unsupportedMediaType: { code: 'Unsupported Media Type', status: 415 },
  expectationFailed: { code: 'Expectation Failed', status: 417 },
  tooManyRequests: { code: 'Too Many Requests', status: 429 },
  headersTooLarge: { code: 'Request Header Fields Too Large', status: 431 },
  internalServerError: { code: 'Internal Server Error', status: 500 },
  serviceUnavailable: { code: 'Service Unavailable', status: 503 },
} as const;

/** Errors of account-service's OAuth endpoint, body `{error, error_description}` (RFC 6749, section 5.2). */
export const oauthErrors = {
  invalidRequest: { code: 'invalid_request', status: 400 },
  invalidClient: { code: 'invalid_client', status: 401 },
  unsupportedGrantType: { code: 'unsupported_grant_type', status: 400 },
  invalidScope: { code: 'invalid_scope', status: 400 },
  tooManyRequests: { code: 'too_many_requests', status: 429 },
  serverError: { code: 'server_error', status: 500 },
  temporarilyUnavailable: { code: 'temporarily_unavailable', status: 503 },
} as const;

/** Errors of website-api, body `application/problem+json` (RFC 9457). */
export const websiteErrors = {
  badRequest: { code: 'Bad Request', status: 400 },
  unauthorized: { code: 'Unauthorized', status: 401 },
  forbidden: { code: 'Forbidden', status: 403 },
  notFound: { code: 'Not Found', status: 404 },
  requestTimeout: { code: 'Request Timeout', status: 408 },
  conflict: { code: 'Conflict', status: 409 },
  contentTooLarge: { code: 'Content Too Large', status: 413 },
  unsupportedMediaType: { code: 'Unsupported Media Type', status: 415 },
  expectationFailed: { code: 'Expectation Failed', status: 417 },
  tooManyRequests: { code: 'Too Many Requests', status: 429 },
  headersTooLarge: { code: 'Request Header Fields Too Large', status: 431 },
  internalServerError: { code: 'Internal Server Error', status: 500 },
  serviceUnavailable: { code: 'Service Unavailable', status: 503 },
} as const;
