/** Error codes of the fleet data API: the body's `error`. */
export const FLEET_CODES = [
  'unauthorized',
  'invalid_query',
  'invalid_cursor',
  'not_found',
  'request_timeout',
  'expectation_failed',
  'too_many_requests',
  'request_header_fields_too_large',
  'upstream_error',
  'internal_server_error',
] as const;

/** Error codes of the account service: the body's `title`. */
export const ACCOUNT_CODES = [
  'Invalid Request',
  'Invalid Frontend URL',
  'Unauthorized',
  'Invalid Code',
  'Invalid Refresh Token',
  'domain_not_allowed',
  'google_workspace_required',
  'Forbidden',
  'Not Found',
  'Request Timeout',
  'Conflict',
  'Payload Too Large',
  'Unsupported Media Type',
  'Expectation Failed',
  'Too Many Requests',
  'Request Header Fields Too Large',
  'Internal Server Error',
  'Service Unavailable',
] as const;

/** Error codes of the website: the `title` of the problem document (RFC 9457). */
export const WEBSITE_CODES = [
  'Bad Request',
  'Unauthorized',
  'Forbidden',
  'Not Found',
  'Request Timeout',
  'Conflict',
  'Content Too Large',
  'Unsupported Media Type',
  'Expectation Failed',
  'Too Many Requests',
  'Request Header Fields Too Large',
  'Internal Server Error',
  'Service Unavailable',
] as const;

/** A newer service may return codes that this version of the client does not list. */
type OrUnlisted<Code extends string> = Code | (string & Record<never, never>);
export type FleetCode = OrUnlisted<(typeof FLEET_CODES)[number]>;
export type AccountCode = OrUnlisted<(typeof ACCOUNT_CODES)[number]>;
export type WebsiteCode = OrUnlisted<(typeof WEBSITE_CODES)[number]>;

/** A response with an error status. Branch on `code` or `status`; the message is for people. */
export class ServiceError<Code extends string = string> extends Error {
  override name = 'ServiceError';
  readonly status: number;
  /** The code of the service's error body; `unknown` when the response comes from a proxy. */
  readonly code: Code;
  /** Identifies the request in the logs of the service; include it in a bug report. */
  readonly requestId: string | undefined;
  /** Time to wait before the next attempt, in seconds, when the response has a `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, code: string, message: string) {
    super(message);
    this.status = response.status;
    this.code = code as Code;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = retryAfterSeconds(response.headers);
  }
}

export class FleetError extends ServiceError<FleetCode> {
  override name = 'FleetError';
}

export class AccountError extends ServiceError<AccountCode> {
  override name = 'AccountError';
}

export class WebsiteError extends ServiceError<WebsiteCode> {
  override name = 'WebsiteError';
}

/** No complete response arrived: the service is unreachable, the connection broke or the time limit passed. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly code: 'unreachable' | 'timeout';

  constructor(code: ConnectionError['code'], message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** A 304 to an `If-None-Match` header that the caller set. */
export class NotModified extends Error {
  override name = 'NotModified';
}

/**
 * Reads a `Retry-After` header (RFC 9110, section 10.2.3), which holds seconds or an HTTP date.
 *
 * @returns whole seconds, at least 0; undefined when the header is missing or malformed
 */
export function retryAfterSeconds(headers: Headers, nowMs = Date.now()): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1_000));
}

/** Converts an error response of one service, with its parsed body, to an error. */
export type ReadError = (response: Response, body: unknown) => ServiceError;

export const readFleetError: ReadError = (response, body) =>
  new FleetError(response, ...codeAndMessage(response, body, 'error', 'message'));

export const readAccountError: ReadError = (response, body) =>
  new AccountError(response, ...codeAndMessage(response, body, 'title', 'detail'));

/** Reads an error of `/oauth/token` (RFC 6749, section 5.2). */
export const readOAuthError: ReadError = (response, body) =>
  new AccountError(response, ...codeAndMessage(response, body, 'error', 'error_description'));

export const readWebsiteError: ReadError = (response, body) =>
  new WebsiteError(response, ...codeAndMessage(response, body, 'title', 'detail'));

function codeAndMessage(
  { status, statusText }: Response,
  body: unknown,
  codeField: string,
  messageField: string,
): [code: string, message: string] {
  const fields = Object(body) as Record<string, unknown>;
  const [code, message] = [fields[codeField], fields[messageField]];
  if (typeof code === 'string' && typeof message === 'string') return [code, message];
  // An unknown path gets the framework's 404 body, or the website's site map.
  if (status === 404)
    return ['Not Found', typeof fields.message === 'string' ? fields.message : 'Not found.'];
  return ['unknown', `${status} ${statusText}`.trim()];
}
