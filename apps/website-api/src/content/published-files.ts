import { posix } from 'node:path';
import type { MediaFile } from './content-folder.ts';
import type { PreparedPost } from './prepare-content.ts';

/** A file that the site serves. */
export interface PublishedFile extends MediaFile {
  /** Undefined when it belongs to no post, and is there at once. */
  visibleFrom: Date | undefined;
}

/**
 * The files to serve, and from when on. A file belongs to the post whose folder it lies in and to every post that refers
 * to it. It appears with the first of them; one that belongs to drafts only is left out.
 */
export function publishedFiles(media: MediaFile[], posts: PreparedPost[]): PublishedFile[] {
  const folders = new Set(posts.flatMap(({ path }) => ownFolder(path) ?? []));
  return media.flatMap((file): PublishedFile[] => {
    const folder = foldersAround(file.path).find((around) => folders.has(around));
    const owners = posts.filter(
      ({ path, files }) => files.has(file.path) || (folder !== undefined && ownFolder(path) === folder),
    );
    if (owners.length === 0) return [{ ...file, visibleFrom: undefined }];
    const times = owners.filter(({ draft }) => !draft).map(({ publishedAt }) => publishedAt.getTime());
    if (times.length === 0) return [];
    return [{ ...file, visibleFrom: new Date(times.reduce((a, b) => Math.min(a, b))) }];
  });
}

/** `posts/xid` of `posts/xid/index.md`. The content folder itself is no single post's. */
function ownFolder(path: string): string | undefined {
  const { dir, name } = posix.parse(path);
  return dir !== '' && name.toLowerCase() === 'index' ? dir : undefined;
}

/** The nearest first. */
function foldersAround(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAround(folder)];
}
