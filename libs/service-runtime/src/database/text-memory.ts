import { freeBlock, takeBlock } from '../memory/reused-memory.ts';

/** A text that was read with `textMemory`: its bytes, if it is long. */
export type TextOrBytes = string | Buffer;

/** Texts share blocks of this size; longer ones are copied one by one. */
const BLOCK_BYTES = 256 * 1024;

/** Memory for the long texts of one read, which later reads reuse. */
export class TextMemory implements Disposable {
  private readonly blocks: Buffer[] = [];
  private free: Buffer = Buffer.alloc(0);
  private isDisposed = false;

  /** Returns a copy of the bytes. */
  copy(bytes: Buffer): Buffer {
    // A statement that was given up may still receive rows: they must not reach the memory of the next read.
    if (this.isDisposed || bytes.length > BLOCK_BYTES) return Buffer.from(bytes);
    if (bytes.length > this.free.length) {
      this.free = takeBlock(BLOCK_BYTES);
      this.blocks.push(this.free);
    }
    bytes.copy(this.free);
    const copied = this.free.subarray(0, bytes.length);
    this.free = this.free.subarray(bytes.length);
    return copied;
  }

  /** Frees the memory. No copy may be used afterwards. */
  [Symbol.dispose](): void {
    this.isDisposed = true;
    this.free = Buffer.alloc(0);
    for (const block of this.blocks.splice(0)) freeBlock(block);
  }
}
