import { Injectable } from '@nestjs/common';
import { isUuid } from '@gpu-observatory/domain-types';
import { DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import { WebsiteConfig } from '../config/website.config.ts';

interface ActiveKey {
  keyId: number;
  scopes: string[];
}

const SERVICE = 'the account service';
/** Leaves time to respond within the 3 s of docs/services.md#outages. */
const INTROSPECTION_TIMEOUT_MS = 2_000;

const introspection = z.discriminatedUnion('active', [
  z.object({ active: z.literal(true), key_id: z.number().int(), scopes: z.array(z.string()) }),
  z.object({ active: z.literal(false) }),
]);

/** Introspects API keys at account-service, see docs/tokens.md#api-keys. */
@Injectable()
export class KeyIntrospection {
  constructor(private readonly config: WebsiteConfig) {}

  /**
   * @returns undefined if the key is unknown, expired or deleted
   * @throws {DependencyUnavailable} if account-service fails to respond, or ACCOUNT_INTERNAL_URL is not set
   */
  async introspect(key: string): Promise<ActiveKey | undefined> {
    // Keys are UUIDs. Anything else is unknown without a call to account-service.
    if (!isUuid(key)) return undefined;
    const { data, error } = introspection.safeParse(await this.request(key));
    if (!data) throw new DependencyUnavailable(SERVICE, error);
    return data.active ? { keyId: data.key_id, scopes: data.scopes } : undefined;
  }

  private async request(key: string): Promise<unknown> {
    const { keyIntrospection } = this.config.contact;
    if (!keyIntrospection)
      throw new DependencyUnavailable(SERVICE, new Error('ACCOUNT_INTERNAL_URL is not set'));
    try {
      const response = await fetch(`${keyIntrospection.url}/internal/v1/keys/introspect`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keyIntrospection.credential}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ key }),
        redirect: 'error',
        signal: AbortSignal.timeout(INTROSPECTION_TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`key introspection returned HTTP ${response.status}`);
      return await response.json();
    } catch (failure) {
      throw new DependencyUnavailable(SERVICE, failure);
    }
  }
}
