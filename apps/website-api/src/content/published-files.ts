import { posix } from 'node:path';
import type { MediaFile } from './content-folder.ts';
import type { PreparedPost } from './prepare-post.ts';

/** A media file that the site serves. */
export interface PublishedFile extends MediaFile {
  /** Undefined if no post uses the file; it is visible at once. */
  visibleFrom: Date | undefined;
}

/** A post with the media that it uses. */
export type MediaUser = Pick<PreparedPost, 'path' | 'files' | 'draft' | 'publishedAt'>;

/**
 * Selects the files to serve. A file belongs to the post whose folder contains it and to each post that refers to it. It
 * becomes visible with the first of them. A file that belongs only to drafts is omitted.
 */
export function publishedFiles(media: MediaFile[], posts: MediaUser[]): PublishedFile[] {
  const folders = new Set(posts.flatMap(({ path }) => ownFolder(path) ?? []));
  return media.flatMap((file): PublishedFile[] => {
    const folder = enclosingFolders(file.path).find((candidate) => folders.has(candidate));
    const owners = posts.filter(
      ({ path, files }) => files.has(file.path) || (folder !== undefined && ownFolder(path) === folder),
    );
    if (owners.length === 0) return [{ ...file, visibleFrom: undefined }];
    const times = owners.filter(({ draft }) => !draft).map(({ publishedAt }) => publishedAt.getTime());
    if (times.length === 0) return [];
    return [{ ...file, visibleFrom: new Date(times.reduce((a, b) => Math.min(a, b))) }];
  });
}

/** Returns `posts/xid` for `posts/xid/index.md`. The content folder itself belongs to no post. */
function ownFolder(path: string): string | undefined {
  const { dir, name } = posix.parse(path);
  return dir !== '' && name.toLowerCase() === 'index' ? dir : undefined;
}

/** Returns the folders that contain a path, innermost first. */
function enclosingFolders(path: string): string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? [] : [folder, ...enclosingFolders(folder)];
}
