import type { Representation } from '@gpu-observatory/service-runtime';
import { LRUCache } from 'lru-cache';

/** Creates a cache for a number of bytes. The least recently used representations leave first. */
export const representationCache = (maxBytes: number) =>
  new LRUCache<string, Representation>({
    maxSize: maxBytes,
    // The library rejects a size of 0.
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });
