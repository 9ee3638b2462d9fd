import { readFileSync, writeFileSync } from 'node:fs';

/**
 * What a committed file says (`openapi.json`, `public-routes.txt`), for a test that holds it and what the service really
 * does together. Where they are meant to differ, `npm run accept` writes the file anew, and the difference shows in the
 * commit.
 *
 * @param actual what the service does, which is written first when `ACCEPT=true`
 */
export function committedSnapshot(file: URL, actual: string): string {
  if (process.env['ACCEPT'] === 'true') writeFileSync(file, actual);
  return readFileSync(file, 'utf8');
}
