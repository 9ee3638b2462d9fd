import { readFileSync } from 'node:fs';
import { accountErrors, type ErrorKind, fleetErrors, oauthErrors, websiteErrors } from '../../src/process.ts';

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

/** Returns the rows of one section's table: `code`, status, condition, what to do. */
function rowsOf(section: string): string[][] {
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .slice(1) // the header row
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

test.each<[string, Record<string, ErrorKind>]>([
  ['Fleet data API', fleetErrors],
  ['Account service', accountErrors],
  ['OAuth', oauthErrors],
  ['Website', websiteErrors],
])('docs/errors.md lists exactly the errors of the catalog: %s', (section, catalog) => {
  const rows = rowsOf(section);
  const onPage = rows.map(([code, status]) => ({ code: code?.replaceAll('`', ''), status: Number(status) }));
  const byCode = (kinds: { code: string | undefined }[]) =>
    kinds.toSorted((a, b) => String(a.code).localeCompare(String(b.code)));
  expect(byCode(onPage)).toEqual(
    byCode(Object.values(catalog).map(({ code, status }) => ({ code, status }))),
  );
  for (const row of rows) {
    expect(row).toHaveLength(4);
    expect(row.every((cell) => cell.length > 2)).toBe(true);
  }
});

test('a catalog contains each code once', () => {
  for (const catalog of [fleetErrors, accountErrors, oauthErrors, websiteErrors]) {
    const codes = Object.values<ErrorKind>(catalog).map((kind) => kind.code);
    expect(new Set(codes).size).toBe(codes.length);
  }
});
