import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Holds a committed file and what the service really does together. A difference fails; when it is meant,
 * `npm run accept` writes the file anew, and the difference shows in the commit.
 */
export function expectCommitted(file: URL, actual: string): void {
  if (process.env['ACCEPT'] === 'true') writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}
