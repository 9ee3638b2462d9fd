import { accountErrors, DomainError } from '@gpu-observatory/error-envelopes';

/** The addresses that a sign-in may return to, compared as whole strings: no prefix, no wildcard, no parsing. */
export class FrontendUrls {
  private readonly allowed: ReadonlySet<string>;

  constructor(urls: readonly string[]) {
    this.allowed = new Set(urls);
  }

  /** @throws {DomainError} 400 Invalid Frontend URL when it is missing, repeated, or not on the list */
  check(given: unknown): string {
    if (typeof given === 'string' && this.allowed.has(given)) return given;
    throw new DomainError(
      accountErrors.invalidFrontendUrl,
      'frontend_url must be given once and be exactly one of the addresses that this deployment allows.',
    );
  }
}

/** Where the browser goes when a sign-in is over, with `code` or `error`. */
export function frontendCallback(frontendUrl: string, outcome: { code: string } | { error: string }): string {
  return `${frontendUrl}/auth/callback?${new URLSearchParams(outcome as Record<string, string>).toString()}`;
}
