import { Injectable } from '@nestjs/common';
import { accountErrors, DomainError } from '@gpu-observatory/service-runtime/process';
import { AccountConfig } from '../config/account.config.ts';

/**
 * Frontend URLs that a sign-in may return to. They are compared as strings, without prefixes, wildcards or URL parsing.
 */
@Injectable()
export class FrontendUrls {
  private readonly allowed: ReadonlySet<string>;

  constructor({ frontends }: AccountConfig) {
    this.allowed = new Set(frontends.urls);
  }

  /** @throws {DomainError} 400 Invalid Frontend URL when it is missing, repeated, or not on the allowlist */
  check(url: unknown): string {
    if (typeof url === 'string' && this.allowed.has(url)) return url;
    throw new DomainError(
      accountErrors.invalidFrontendUrl,
      'frontend_url must occur once and exactly match one of the URLs that this deployment allows.',
    );
  }
}

/** Returns the frontend URL that receives the `code` or `error` of a sign-in. */
export function frontendCallback(frontendUrl: string, outcome: { code: string } | { error: string }): string {
  return `${frontendUrl}/auth/callback?${new URLSearchParams(outcome as Record<string, string>).toString()}`;
}
