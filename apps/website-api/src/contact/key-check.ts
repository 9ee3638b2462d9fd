import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import { z } from 'zod';
import type { ContactConfig } from '../config/contact.config.ts';

export interface KnownKey {
  keyId: number;
  scopes: string[];
}

const SERVICE = 'the account service';
/** The answer must leave within 3 s (decisions, section 1). */
const ANSWER_WITHIN_MS = 2_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const introspection = z.discriminatedUnion('active', [
  z.object({ active: z.literal(true), key_id: z.number().int(), scopes: z.array(z.string()) }),
  z.object({ active: z.literal(false) }),
]);

/** Asks account-service what a key may do (decisions, section 3, Key check). */
export class KeyCheck {
  constructor(private readonly config: ContactConfig) {}

  /**
   * @returns undefined for a key that is unknown or no longer valid
   * @throws {DependencyUnavailable} when account-service does not answer, or this service was not told where it is
   */
  async find(key: string): Promise<KnownKey | undefined> {
    // Keys are plain UUIDs (contract, section 2.9): anything else is nobody's, and nothing to send on.
    if (!UUID.test(key)) return undefined;
    const answer = introspection.safeParse(await this.ask(key));
    if (!answer.success) throw new DependencyUnavailable(SERVICE, answer.error);
    return answer.data.active ? { keyId: answer.data.key_id, scopes: answer.data.scopes } : undefined;
  }

  private async ask(key: string): Promise<unknown> {
    const { keyCheck } = this.config;
    if (!keyCheck) throw new DependencyUnavailable(SERVICE, new Error('ACCOUNT_INTERNAL_URL is not set'));
    try {
      const response = await fetch(`${keyCheck.url}/internal/v1/keys/introspect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keyCheck.credential}`, 'content-type': 'application/json' },
        body: JSON.stringify({ key }),
        redirect: 'error',
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      return await response.json();
    } catch (failure) {
      throw new DependencyUnavailable(SERVICE, failure);
    }
  }
}
