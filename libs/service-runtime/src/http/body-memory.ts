import { freeBlock, takeBlock } from '../memory/reused-memory.ts';

/** Allocating a shorter body costs less than searching for a free block. */
const MIN_REUSED_BYTES = 64 * 1024;

/** The blocks of bodies, which are reused after their responses. */
const blocks = new WeakMap<object, Buffer>();

/** Returns memory for the body of one response, at most a quarter longer. Until it is written, it contains bytes of other responses. */
export function allocateBody(bytes: number): Buffer {
  if (bytes < MIN_REUSED_BYTES) return Buffer.allocUnsafe(bytes);
  const block = takeBlock(bytes);
  const body = block.subarray(0, bytes);
  blocks.set(body, block);
  return body;
}

/** Excludes a body from reuse, because it is needed after its response. */
export function keepBody(body: object): void {
  blocks.delete(body);
}

/** Lets other bodies overwrite this one. Every response with it must have closed. */
export function freeBody(body: object): void {
  const block = blocks.get(body);
  blocks.delete(body);
  if (block !== undefined) freeBlock(block);
}
