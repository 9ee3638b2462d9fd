import { readFileSync } from 'node:fs';

/** Reads a page of the documentation. */
export function readPage(name: string): string {
  return readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
}

/** Returns the table rows of a page that start with a number, or with several (`11, 39-41`), as trimmed cells. */
export function numberedRows(page: string): string[][] {
  return (page.match(/^\| \d[\d, -]*\|.*\|$/gm) ?? []).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}
