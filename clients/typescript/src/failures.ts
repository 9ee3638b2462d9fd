/** Codes of the fleet data API: the body's `error`. */
export const FLEET_CODES = [
  'unauthorized',
  'invalid_query',
  'invalid_cursor',
  'not_found',
  'too_many_requests',
  'upstream_error',
  'internal_server_error',
] as const;

/** Codes of the account service: the body's `title`. */
export const ACCOUNT_CODES = [
  'Invalid Request',
  'Invalid Frontend URL',
  'Unauthorized',
  'Invalid Code',
  'Invalid Refresh Token',
  'domain_not_allowed',
  'Forbidden',
  'Not Found',
  'Conflict',
  'Payload Too Large',
  'Unsupported Media Type',
  'Too Many Requests',
  'Internal Server Error',
  'Service Unavailable',
] as const;

/** Codes of the website: the problem's `title` (RFC 9457). */
export const WEBSITE_CODES = [
  'Bad Request',
  'Unauthorized',
  'Forbidden',
  'Not Found',
  'Conflict',
  'Content Too Large',
  'Unsupported Media Type',
  'Too Many Requests',
  'Internal Server Error',
  'Service Unavailable',
] as const;

/** A later version of a service may have codes that this one of the client does not know. */
type OrLater<Code extends string> = Code | (string & Record<never, never>);
export type FleetCode = OrLater<(typeof FLEET_CODES)[number]>;
export type AccountCode = OrLater<(typeof ACCOUNT_CODES)[number]>;
export type WebsiteCode = OrLater<(typeof WEBSITE_CODES)[number]>;

/** An answer of a service that is no success. Branch on `code` or `status`; the message is for people. */
export class ServiceError<Code extends string = string> extends Error {
  override name = 'ServiceError';
  readonly status: number;
  /** The service's own word for what went wrong; `unknown` where something in between answered. */
  readonly code: Code;
  /** To report a failure with. */
  readonly requestId: string | undefined;
  /** How long to wait before the next try, where the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(response: Response, code: string, message: string) {
    super(message);
    this.status = response.status;
    this.code = code as Code;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    const retryAfter = response.headers.get('retry-after');
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
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

/** The data is still what the `If-None-Match` of the request named. */
export class NotModified extends Error {
  override name = 'NotModified';
}

/** Reads an error body, as parsed, of one service. */
export type ReadFailure = (response: Response, body: unknown) => ServiceError;

export const fleetFailure: ReadFailure = (response, body) =>
  new FleetError(response, ...words(response, body, 'error', 'message'));

export const accountFailure: ReadFailure = (response, body) =>
  new AccountError(response, ...words(response, body, 'title', 'detail'));

export const websiteFailure: ReadFailure = (response, body) =>
  new WebsiteError(response, ...words(response, body, 'title', 'detail'));

function words(
  { status, statusText }: Response,
  body: unknown,
  codeField: string,
  messageField: string,
): [code: string, message: string] {
  const fields = Object(body) as Record<string, unknown>;
  const [code, message] = [fields[codeField], fields[messageField]];
  if (typeof code === 'string' && typeof message === 'string') return [code, message];
  // A path that does not exist has the framework's body, or the site map.
  if (status === 404)
    return ['Not Found', typeof fields.message === 'string' ? fields.message : 'Not found.'];
  return ['unknown', `${status} ${statusText}`.trim()];
}
