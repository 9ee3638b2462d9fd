import { DomainError, websiteErrors } from '@gpu-observatory/error-envelopes';
import type { IncomingHttpHeaders } from 'node:http';
import type { ContactConfig } from '../config/contact.config.ts';
import type { KeyCheck } from './key-check.ts';

/** Who may send contact requests: a browser of an allowed origin, or whoever has a key for it. */
export interface Sender {
  /** `origin https://…` or `key 12`. */
  cameBy: string;
}

const SCOPE = 'contact:write';

/**
 * Decides who sends (contract, section 5; decisions, section 4, Contact). A key that is given is what counts; without
 * one, the origin.
 */
export class ContactAccess {
  constructor(
    private readonly config: ContactConfig,
    private readonly keys: KeyCheck,
  ) {}

  /**
   * @throws {DomainError} 401 without either or for an unknown key, 403 for a key without the scope or another origin
   * @throws {DependencyUnavailable} when a key cannot be checked
   */
  async senderOf(headers: IncomingHttpHeaders): Promise<Sender> {
    const { 'x-api-key': key, origin } = headers;
    if (key !== undefined) return this.senderWithKey(String(key));
    if (origin === undefined) {
      throw new DomainError(
        websiteErrors.unauthorized,
        `Send an API key with the scope ${SCOPE} in the x-api-key header, or send from a page of this site.`,
      );
    }
    if (!this.config.origins.includes(origin)) {
      throw new DomainError(
        websiteErrors.forbidden,
        'Pages of this origin may not send contact requests; an API key in the x-api-key header may.',
      );
    }
    return { cameBy: `origin ${origin}` };
  }

  private async senderWithKey(key: string): Promise<Sender> {
    const known = await this.keys.find(key);
    if (!known)
      throw new DomainError(websiteErrors.unauthorized, 'This API key is not known, or no longer valid.');
    if (!known.scopes.includes(SCOPE)) {
      throw new DomainError(websiteErrors.forbidden, `This API key lacks the scope ${SCOPE}.`);
    }
    return { cameBy: `key ${known.keyId}` };
  }
}
