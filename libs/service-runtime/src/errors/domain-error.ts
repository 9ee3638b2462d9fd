/** One kind of error: its public code and its HTTP status. */
export interface ErrorKind {
  readonly code: string;
  readonly status: number;
}

/**
 * An error that is reported to the caller. `message` is public: it describes the problem and the accepted values. The
 * cause is written to the log only. Throw it anywhere; only the error filter turns it into HTTP.
 *
 * Use a kind from the service's own catalog (`fleetErrors`, `accountErrors`, `websiteErrors`).
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly kind: ErrorKind,
    publicMessage: string,
    { headers = {}, cause }: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(publicMessage, { cause });
    this.headers = headers;
  }
}

/**
 * A backing service (the database, another service of this product) is unavailable. fleet-api responds with 502
 * `upstream_error`, the other services with 503; both add `Retry-After` (docs/services.md#outages).
 */
export class DependencyUnavailable extends Error {
  override readonly name = 'DependencyUnavailable';

  constructor(dependency: string, cause?: unknown) {
    super(`${dependency} is unavailable`, { cause });
  }
}
