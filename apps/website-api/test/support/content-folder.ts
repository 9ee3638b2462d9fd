import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  path: string;
}

/** A content folder with these files, gone at the end of the scope that holds it. */
export async function contentFolder(files: Record<string, string | Buffer>): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'content-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** The smallest PNG there is: one transparent pixel. */
export const PIXEL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A post with a head that is in order. */
export function post(body: string, head = 'title: A title\ndate: 2026-01-31'): string {
  return `---\n${head}\n---\n\n${body}\n`;
}
