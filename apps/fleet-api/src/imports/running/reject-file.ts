import { closeSync, openSync, writeSync } from 'node:fs';
import type { Origin } from '../writing/batch.ts';

/**
 * Where each line that could not be imported goes, with its reason: NDJSON, `{file, line, reason, text}`. Made only when
 * there is something to put into it, and written at once, so that a kill loses none.
 */
export class RejectFile {
  private descriptor: number | undefined;
  count = 0;

  constructor(readonly path: string) {}

  add(origin: Origin, reason: string): void {
    this.descriptor ??= openSync(this.path, 'a', 0o600);
    for (const line of origin.lines) {
      this.count += 1;
      writeSync(
        this.descriptor,
        `${JSON.stringify({ file: origin.file, line: line.number, reason, text: line.text })}\n`,
      );
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }
}
