import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { OperationError } from '@gpu-observatory/service-runtime/process';

export const STANDARD_INPUT = '-';
const CHUNK_BYTES = 256 * 1024;

/**
 * Checks that all files can be read, before anything is imported.
 *
 * @returns their total size in bytes, or null when it is unknown (standard input, a pipe)
 * @throws {OperationError} with the first file that cannot be read
 */
export async function checkFiles(files: readonly string[]): Promise<number | null> {
  if (files.filter((file) => file === STANDARD_INPUT).length > 1)
    throw new OperationError('standard input (-) can be read only once');
  let total: number | null = 0;
  for (const file of files) {
    const size = file === STANDARD_INPUT ? null : await sizeOf(file);
    total = total === null || size === null ? null : total + size;
  }
  return total;
}

export function openFile(file: string): Readable {
  return file === STANDARD_INPUT ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) throw new OperationError(`${file} cannot be read: it is a directory`);
    await access(file, constants.R_OK);
    return stats.isFile() ? stats.size : null;
  } catch (failure) {
    if (failure instanceof OperationError) throw failure;
    throw new OperationError(`${file} cannot be read: ${REASONS[codeOf(failure)] ?? codeOf(failure)}`);
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'permission denied',
};

function codeOf(failure: unknown): string {
  return (failure as NodeJS.ErrnoException).code ?? String(failure);
}
