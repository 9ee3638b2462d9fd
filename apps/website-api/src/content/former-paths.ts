import { posix } from 'node:path';

/**
 * Returns the form in which URL paths are compared: decoded, without a trailing slash, `index.html` and `.html`. Returns an
 * empty string for the root.
 */
export function comparablePath(path: string): string {
  return decode(path)
    .normalize('NFC')
    .replace(/(?<!\/)\/+(index\.html?)?$/i, '')
    .replace(/\.html?$/i, '');
}

/**
 * Returns the comparable path of an earlier URL of a post: a path, a URL of any site, or as in Hugo a path relative to the
 * folder of the post. Returns undefined if the text is none of these.
 *
 * @param folder of the post in the content folder
 */
export function formerPath(text: string, folder: string): string | undefined {
  const { pathname } = URL.parse(text, new URL(encodeURI(posix.join('/', folder, '/')), 'http://site')) ?? {};
  return pathname?.startsWith('/') ? comparablePath(pathname) || undefined : undefined;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
