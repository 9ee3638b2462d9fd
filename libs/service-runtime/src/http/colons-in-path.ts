/**
 * Returns the URL with colons in place of `%3A` in its path, which may contain them (RFC 3986, section 3.3). Many clients
 * escape them. The router would not match `/alerts%3Asummary`, and caches and entity tags would treat it as another URL.
 */
export function decodeColonsInPath(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.replaceAll(/%3a/gi, ':') + url.slice(path.length);
}
