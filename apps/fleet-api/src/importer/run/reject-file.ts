import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, statSync, writeSync } from 'node:fs';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { Origin } from '../write/batch.ts';
import { readLines } from './lines.ts';

/** Maximum size of an entry: that of a line of maximum length with every character escaped. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;

/**
 * File of rejected lines with their reasons, as NDJSON: `{file, line, reason, text}`. It is created with the first rejected line.
 * Each line is written at once, so that a kill loses none. Entries of an earlier import are kept and not repeated.
 */
export class RejectFile {
  /** Number of lines rejected by this import, including those already in the file. */
  count = 0;
  private descriptor: number | undefined;

  private constructor(
    readonly path: string,
    private readonly knownDigests: ReadonlySet<string>,
    private readonly endsWithoutNewline: boolean,
  ) {}

  /** Reads the existing entries. */
  static async open(path: string): Promise<RejectFile> {
    const knownDigests = new Set<string>();
    let lastByte = '\n';
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
      const input = createReadStream(path);
      input.on('data', (chunk) => (lastByte = chunk.slice(-1).toString()));
      try {
        for await (const lines of readLines(input, MAX_ENTRY_BYTES))
          for (const { text } of lines) knownDigests.add(digest(text));
      } catch (failure) {
        throw unusableError(path, failure);
      }
    }
    return new RejectFile(path, knownDigests, lastByte !== '\n');
  }

  /** @throws {OperationError} when the file cannot be written */
  add(origin: Origin, reason: string): void {
    for (const line of origin.lines) {
      this.count += 1;
      const entry = JSON.stringify({ file: origin.file, line: line.number, reason, text: line.text });
      if (!this.knownDigests.has(digest(entry))) this.write(`${entry}\n`);
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private write(text: string): void {
    try {
      if (this.descriptor === undefined) {
        this.descriptor = openSync(this.path, 'a', 0o600);
        if (this.endsWithoutNewline) writeSync(this.descriptor, '\n');
      }
      writeSync(this.descriptor, text);
    } catch (failure) {
      throw unusableError(this.path, failure);
    }
  }
}

function digest(text: string): string {
  return createHash('md5').update(text).digest('base64');
}

function unusableError(path: string, failure: unknown): OperationError {
  return new OperationError(
    `the reject file ${path} cannot be used (${(failure as NodeJS.ErrnoException).code}): set --rejects to a file that can be written`,
  );
}
