import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Reads a committed file (`openapi.json`, `public-routes.txt`) for a test that compares it with the running service.
 *
 * @param actual current content, which replaces the file first when `ACCEPT=true` (`npm run accept`)
 */
export function committedSnapshot(file: URL, actual: string): string {
  if (process.env['ACCEPT'] === 'true') writeFileSync(file, actual);
  return readFileSync(file, 'utf8');
}
