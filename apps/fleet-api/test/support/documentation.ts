import { readFileSync } from 'node:fs';

/** A page of the project's documentation. */
export function readPage(name: string): string {
  return readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
}

/** The rows of a page's tables that begin with a number, each cell without its padding. */
export function numberedRows(page: string): string[][] {
  return (page.match(/^\| \d+ .*\|$/gm) ?? []).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}
