import { totalmem } from 'node:os';
import type { WriteBufferLimits } from '../http/write-buffer.ts';

const MB = 1024 * 1024;

/** Returns the container's memory limit, or the machine's memory without one, in bytes. */
function memoryLimit(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Returns a share of the memory limit, but at most `maxBytes`. */
export function shareOfMemory(share: number, maxBytes: number): number {
  return Math.min(maxBytes, Math.floor(memoryLimit() * share));
}

/** Limits the bytes that wait for slow clients: 64 MB in a container of 1 GB or more, of which one customer may use half. */
export function writeBufferLimits(): WriteBufferLimits {
  const total = shareOfMemory(1 / 16, 64 * MB);
  return { total, perOwner: total / 2 };
}
