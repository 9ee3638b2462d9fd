import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Far more than a test run signs in; the oldest give way, so that memory stays bounded. */
const entriesKept = 50_000;

/**
 * What `oidc-provider` keeps between requests (codes, tokens, started sign-ins), in memory until the process ends.
 * Its sessions are never found again: people switch accounts here, so every sign-in asks who signs in.
 */
export function volatileStore(): AdapterFactory {
  const entries = new LRUCache<string, AdapterPayload>({ max: entriesKept });
  return (model) => (model === 'Session' ? forgetful : remembering(model, entries));
}

function remembering(model: string, entries: LRUCache<string, AdapterPayload>): Adapter {
  const key = (id: string) => `${model}:${id}`;
  return {
    async upsert(id, payload, expiresInSeconds) {
      entries.set(key(id), payload, expiresInSeconds ? { ttl: expiresInSeconds * 1000 } : {});
    },
    async find(id) {
      return entries.get(key(id));
    },
    async consume(id) {
      const payload = entries.get(key(id));
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(key(id));
    },
    async revokeByGrantId(grantId) {
      for (const [entry, payload] of entries.entries()) {
        if (payload.grantId === grantId && entry.startsWith(`${model}:`)) entries.delete(entry);
      }
    },
    findByUid: nothing,
    findByUserCode: nothing,
  };
}

async function nothing() {
  return undefined;
}

const forgetful: Adapter = {
  upsert: nothing,
  find: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
};
