/** Free memory that is kept under load: as much as two pages of 10,000 alerts with their documents. */
const MAX_FREE_BYTES = 32 * 1024 * 1024;
/** Lengths of blocks are multiples of this, so that more of them are equal. */
const STEP_BYTES = 16 * 1024;
/** Largest length of a reused block, relative to the length needed. */
const MAX_LENGTH_RATIO = 1.25;

/** Blocks that are free, in the order in which they became free. */
let freeBlocks: Buffer[] = [];
let freeBytes = 0;

/**
 * Returns a block of at least this length, with the bytes of its last use. V8 would allocate and collect large memory for every
 * use: it runs a full garbage collection after each 64 MB, and the kernel clears every page of memory that it returns.
 */
export function takeBlock(bytes: number): Buffer {
  const length = Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
  let best: Buffer | undefined;
  for (const block of freeBlocks) {
    const fits = block.length >= length && block.length <= length * MAX_LENGTH_RATIO;
    // Of equal blocks the last, which may still be in the processor's cache.
    if (fits && block.length <= (best?.length ?? Infinity)) best = block;
  }
  if (best === undefined) return Buffer.allocUnsafeSlow(length);
  freeBlocks.splice(freeBlocks.lastIndexOf(best), 1);
  freeBytes -= best.length;
  return best;
}

/** Lets later uses overwrite the block. Keeps the blocks that became free last. */
export function freeBlock(block: Buffer): void {
  if (block.length > MAX_FREE_BYTES) return;
  freeBlocks.push(block);
  freeBytes += block.length;
  while (freeBytes > MAX_FREE_BYTES) freeBytes -= (freeBlocks.shift() as Buffer).length;
}

/** Leaves all free blocks to the garbage collector. */
export function dropFreeBlocks(): void {
  freeBlocks = [];
  freeBytes = 0;
}
