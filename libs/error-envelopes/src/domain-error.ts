/** One kind of failure: its public name and the HTTP status it becomes. */
export interface ErrorKind {
  readonly code: string;
  readonly status: number;
}

/**
 * A failure that a caller is told of. It carries two messages: the public one, which names what is wrong and what
 * would be right, and an internal one for the log. Throw it anywhere; the error filter alone makes it HTTP.
 *
 * Use a kind of the service's own catalogue (`fleetErrors`, `accountErrors`, `websiteErrors`).
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: ErrorKind;
  /** For the log only. */
  readonly internalDetail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    kind: ErrorKind,
    publicMessage: string,
    more: { internalDetail?: string; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(publicMessage, { cause: more.cause });
    this.kind = kind;
    this.internalDetail = more.internalDetail;
    this.headers = more.headers ?? {};
  }
}

/**
 * A backing service (the database, another service of ours) does not answer or refuses. Each envelope has its own
 * answer for it: 502 `upstream_error` for fleet-api, 503 with `Retry-After` for the others (decisions, section 1).
 */
export class DependencyUnavailable extends Error {
  override readonly name = 'DependencyUnavailable';

  constructor(dependency: string, cause?: unknown) {
    super(`${dependency} does not answer`, { cause });
  }
}
