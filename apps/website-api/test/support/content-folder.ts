import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  path: string;
}

/** Creates a content folder that is removed at the end of the `await using` scope. */
export async function contentFolder(files: Record<string, string | Buffer>): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'content-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** A PNG of one transparent pixel. */
export const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns a post with front matter. */
export function post(body: string, front = 'title: A title\ndate: 2026-01-31'): string {
  return `---\n${front}\n---\n\n${body}\n`;
}
