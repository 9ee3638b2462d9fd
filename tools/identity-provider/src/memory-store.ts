import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/** Bounds the memory. More than any test run needs; the oldest entries are evicted. */
const MAX_ENTRIES = 50_000;

/**
 * Stores the state of `oidc-provider` (codes, tokens, started sign-ins) in memory. Sessions are discarded, so that every
 * sign-in shows the consent page and users can switch accounts.
 */
export function memoryStore(): AdapterFactory {
  const entries = new LRUCache<string, AdapterPayload>({ max: MAX_ENTRIES });
  return (model) => (model === 'Session' ? discardingAdapter : storingAdapter(model, entries));
}

function storingAdapter(model: string, entries: LRUCache<string, AdapterPayload>): Adapter {
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
    findByUid: noResult,
    findByUserCode: noResult,
  };
}

async function noResult() {
  return undefined;
}

const discardingAdapter: Adapter = {
  upsert: noResult,
  find: noResult,
  consume: noResult,
  destroy: noResult,
  revokeByGrantId: noResult,
  findByUid: noResult,
  findByUserCode: noResult,
};
