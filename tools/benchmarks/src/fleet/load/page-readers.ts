import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('page-reader.ts', import.meta.url));

export interface PageReaders {
  /** @returns the number of responses by status */
  stop(): Promise<Map<number, number>>;
}

/** Starts clients that read the same page, each in its own process. Resolves once each has had a response. */
export async function startPageReaders(
  number: number,
  url: string,
  headers: Record<string, string>,
): Promise<PageReaders> {
  const statuses = new Map<number, number>();
  const readers = Array.from({ length: number }, () =>
    fork(PROGRAM, [url, JSON.stringify(headers)]).on('message', (status: number) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  );
  await Promise.all(readers.map((reader) => once(reader, 'message')));
  return {
    stop: async () => {
      const exits = readers.map((reader) => once(reader, 'exit'));
      for (const reader of readers) reader.kill();
      await Promise.all(exits);
      return statuses;
    },
  };
}
