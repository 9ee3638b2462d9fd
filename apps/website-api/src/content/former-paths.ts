import { posix } from 'node:path';

/**
 * Returns the form in which URL paths are compared: decoded, without a trailing slash, `index.html` and `.html`. Returns an
 * empty string for the root.
 */
export function comparablePath(path: string): string {
  return decodePath(path)
    .normalize('NFC')
    .replace(/(?<!\/)\/+(index\.html?)?$/i, '')
    .replace(/\.html?$/i, '');
}

/**
 * Returns the comparable paths of an earlier URL of a post: of a path, of a URL of any site, or as in Hugo of a path relative
 * to the section of the post. Its folder may be a section or a copy of one, so such a path is also one below `/blog`.
 *
 * @param folder of the post in the content folder
 */
export function formerPaths(text: string, folder: string): string[] {
  return [encodeURI(posix.join('/', folder, '/')), '/blog/'].flatMap((section) => {
    const { pathname } = URL.parse(text, new URL(section, 'http://site')) ?? {};
    return pathname?.startsWith('/') ? comparablePath(pathname) || [] : [];
  });
}

/** Decodes a URL path. Returns one with a malformed escape unchanged. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
