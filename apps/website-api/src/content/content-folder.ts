import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Findings } from './findings.ts';
import { contentTypeOf, MEDIA_TYPES } from './media-types.ts';

/** A markdown file as it lies in the folder. */
export interface SourceFile {
  /** Relative to the content folder, with `/`. */
  path: string;
  text: string;
}

/** An image or attachment. */
export interface MediaFile {
  path: string;
  contentType: string;
  bytes: Buffer;
}

export interface ContentFolder {
  posts: SourceFile[];
  media: MediaFile[];
}

/** Larger files belong on a file server; these live in the database and in every backup of it. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** `_index.md` is a section's page in Hugo, a README explains the folder: neither is a post. */
const NO_POST = /^(_.*|readme|license|contributing)\.(md|markdown)$/i;

/** Reads a content folder: every markdown file is a post, every other one can be linked from posts. */
export async function readContentFolder(folder: string, findings: Findings): Promise<ContentFolder> {
  const content: ContentFolder = { posts: [], media: [] };
  for (const path of await filesIn(folder, findings)) {
    const name = posix.basename(path);
    if (NO_POST.test(name)) continue;
    const file = join(folder, path);
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) {
      findings.fault(path, 1, `the file has ${size} bytes; at most ${MAX_FILE_BYTES} are served from here`);
    } else if (/\.(md|markdown)$/i.test(name)) {
      const text = decode(await readFile(file));
      if (text === undefined)
        findings.fault(path, 1, 'the file is not UTF-8 text, or has control characters in it');
      else content.posts.push({ path, text });
    } else {
      const contentType = contentTypeOf(name);
      if (contentType) content.media.push({ path, contentType, bytes: await readFile(file) });
      else
        findings.fault(
          path,
          1,
          `files of this kind are not served; known are ${Object.keys(MEDIA_TYPES).join(' ')}`,
        );
    }
  }
  return content;
}

/** Every file below the folder, in code point order. Dot files are nobody's content. */
async function filesIn(folder: string, findings: Findings): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries) {
    const path = posix.join(
      entry.parentPath.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''),
      entry.name,
    );
    if (path.split('/').some((part) => part.startsWith('.'))) continue;
    if (entry.isFile()) paths.push(path);
    // A link may lead anywhere on the machine that syncs: nothing outside the folder may end up on the site.
    else if (entry.isSymbolicLink())
      findings.fault(path, 1, 'a symbolic link is not followed: put the file itself here');
  }
  return paths.sort();
}

function decode(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    // Feeds are XML, which has no place for them (XML 1.0, section 2.2).
    return /(?![\t\n])\p{Cc}|[\uFFFE\uFFFF]/u.test(lines) ? undefined : lines;
  } catch {
    return undefined;
  }
}
