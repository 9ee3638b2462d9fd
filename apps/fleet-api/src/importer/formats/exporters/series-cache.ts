import type { Labels } from './labels.ts';

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;

/** The labels of a line as text and parsed. */
export interface LabelBlock {
  /** The labels with their braces. */
  text: string;
  labels: Labels;
}

interface CachedBlock extends LabelBlock {
  /** The block of the line that followed the last one with this block. */
  next: CachedBlock | undefined;
}

/** Upper bound of cached label blocks. */
const MAX_BLOCKS = 20_000;

/**
 * Cache of the names and labels of pages. A page has series after series, each with the lines of all GPUs in the same order. So
 * most lines begin with the name of the previous line, and their labels followed those of the previous line in the series before.
 */
export class SeriesCache {
  /** Name of the last line. */
  private name = '';
  private readonly blocks = new Map<string, CachedBlock>();
  /** Block of the last line with labels. */
  private last: CachedBlock | undefined;

  /** Returns the name that a line begins with, and caches it for the next line; undefined if it begins with none. */
  nameOf(line: string): string | undefined {
    const isRepeated = this.name !== '' && line.startsWith(this.name) && line[this.name.length] === '{';
    if (isRepeated) return this.name;
    NAME.lastIndex = 0;
    const name = NAME.exec(line)?.[0];
    if (name !== undefined) this.name = name;
    return name;
  }

  /**
   * Returns the cached block of labels at a position of a line, which becomes that of the last line; undefined if it is not cached.
   */
  find(line: string, position: number): LabelBlock | undefined {
    const expected = this.last?.next;
    if (expected !== undefined && line.startsWith(expected.text, position)) {
      this.last = expected;
      return expected;
    }
    // Labels may contain braces, so the text up to the last brace is compared with blocks that were parsed before.
    const known = this.blocks.get(line.slice(position, line.lastIndexOf('}') + 1));
    if (known !== undefined) this.setLast(known);
    return known;
  }

  /** Adds the block of labels of a line. */
  add(text: string, labels: Labels): LabelBlock {
    if (this.blocks.size >= MAX_BLOCKS) {
      this.blocks.clear();
      this.last = undefined;
    }
    const block = { text, labels, next: undefined };
    this.blocks.set(text, block);
    this.setLast(block);
    return block;
  }

  /** Sets the block of the last line, and links the block of the line before to it. */
  private setLast(block: CachedBlock): void {
    if (this.last !== undefined) this.last.next = block;
    this.last = block;
  }
}
