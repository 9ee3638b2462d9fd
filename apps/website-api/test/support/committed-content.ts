import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The content folder of the site. */
export const COMMITTED_CONTENT = fileURLToPath(new URL('../../content/', import.meta.url));

/** Reads the content folder as files by path, to publish together with others. */
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
