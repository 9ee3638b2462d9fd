import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { imageSize } from 'image-size';
import type { Findings } from './findings.ts';
import { contentTypeOf, isImage, MEDIA_TYPES } from './media-types.ts';

/** A markdown file of the content folder. */
export interface SourceFile {
  /** Relative to the content folder, with `/`. */
  path: string;
  text: string;
}

/** An image or attachment. */
export interface MediaFile {
  path: string;
  contentType: string;
  /** Only of an image. */
  size: ImageSize | undefined;
  /** Reads the file, because all files together may need more memory than there is. */
  read(): Promise<Buffer>;
}

/** In pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

export interface ContentFolder {
  posts: SourceFile[];
  media: MediaFile[];
}

/** Limit per file, because media are stored in the database and its backups. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Markdown files that are not posts: Hugo section pages such as `_index.md`, and README files. */
const NON_POST = /^(_.*|readme|license|contributing)\.(md|markdown)$/i;

const MDX =
  'MDX runs code, so it is not supported; rename the file to .md, remove its import and export lines, and replace ' +
  'components such as <Chart /> with markdown or an image';

/** Reads a content folder. Markdown files are posts, all other files are media. */
export async function readContentFolder(folder: string, findings: Findings): Promise<ContentFolder> {
  const content: ContentFolder = { posts: [], media: [] };
  for (const path of await listFiles(folder, findings)) {
    const name = posix.basename(path);
    if (NON_POST.test(name)) continue;
    if (/\.mdx$/i.test(name)) {
      findings.error(path, 1, MDX);
      continue;
    }
    const file = join(folder, path);
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) {
      findings.error(path, 1, `the file has ${size} bytes; the maximum is ${MAX_FILE_BYTES}`);
    } else if (/\.(md|markdown)$/i.test(name)) {
      const text = decodeText(await readFile(file));
      if (text === undefined)
        findings.error(path, 1, 'the file is not UTF-8 text or contains control characters');
      else content.posts.push({ path, text });
    } else {
      const contentType = contentTypeOf(name);
      const size = isImage(contentType ?? '') ? sizeOf(await readFile(file)) : undefined;
      if (contentType === undefined)
        findings.error(path, 1, `unsupported file type; supported are ${Object.keys(MEDIA_TYPES).join(' ')}`);
      else if (isImage(contentType) && !size)
        findings.error(path, 1, 'the file is not a valid image of the type in its name');
      else content.media.push({ path, contentType, size, read: () => readFile(file) });
    }
  }
  return content;
}

/** Lists all files below the folder in code point order, without hidden files. */
async function listFiles(folder: string, findings: Findings): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths: string[] = [];
  for (const entry of entries) {
    const path = posix.join(
      entry.parentPath.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''),
      entry.name,
    );
    if (path.split('/').some((part) => part.startsWith('.'))) continue;
    if (entry.isFile()) paths.push(path);
    // A symbolic link could publish a file from outside of the folder.
    else if (entry.isSymbolicLink())
      findings.error(path, 1, 'symbolic links are not followed; put the file itself here');
  }
  return paths.sort();
}

function sizeOf(image: Buffer): ImageSize | undefined {
  try {
    const { width, height } = imageSize(image);
    return { width: Math.round(width), height: Math.round(height) };
  } catch {
    return undefined;
  }
}

function decodeText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    // Control characters are invalid in the XML of the feed (XML 1.0, section 2.2).
    return /(?![\t\n])\p{Cc}|[\uFFFE\uFFFF]/u.test(lines) ? undefined : lines;
  } catch {
    return undefined;
  }
}
