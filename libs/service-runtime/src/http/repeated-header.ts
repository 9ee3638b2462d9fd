import type { IncomingMessage } from 'node:http';

/**
 * Returns whether a request has a header more than once. `headers` of Node keeps only the first `Host` and `Authorization`.
 *
 * @param name in lower case
 */
export function isRepeatedHeader({ rawHeaders }: IncomingMessage, name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index] as string;
    if (other.length === name.length && other.toLowerCase() === name) count += 1;
  }
  return count > 1;
}
