import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that the site publishes. */
export const COMMITTED_CONTENT = fileURLToPath(new URL('../../content/', import.meta.url));

/** Its files by their paths, so that a test can publish them together with others. */
export async function committedContent(): Promise<Record<string, Buffer>> {
  const entries = await readdir(COMMITTED_CONTENT, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [
        relative(COMMITTED_CONTENT, file).split(sep).join('/'),
        await readFile(file),
      ]),
    ),
  ) as Record<string, Buffer>;
}
