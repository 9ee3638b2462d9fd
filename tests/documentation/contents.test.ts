import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellsOf, codeBlocks, pages, read, root, withoutCodeBlocks } from './pages.ts';

const LONGEST_CELL = 140;
/** `npm run NAME` with an optional `-w WORKSPACE` before or after the name. */
const NPM_SCRIPT = /\bnpm run (?:-s )?(?:-w (\S+) )?([a-z][\w:-]*)(?: -w ([\w/@-]+))?/g;

it('describes every picture', () => {
  const pictures = pages.flatMap((page) =>
    [...withoutCodeBlocks(read(page)).matchAll(/!\[[^\]]*\]\([^)]*\)|<img\b[^>]*>/g)].map(
      ([picture]) => `${page}: ${picture}`,
    ),
  );
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((picture) => !/!\[[^\]]{5,}\]|\balt="[^"]{5,}"/.test(picture))).toEqual([]);
});

it('has only diagrams of a known type', () => {
  const diagrams = pages.flatMap((page) => codeBlocks(read(page), 'mermaid'));
  expect(diagrams.length).toBeGreaterThan(3);
  const known = /^(flowchart (LR|TB)|sequenceDiagram|erDiagram|stateDiagram-v2|gantt)\n/;
  expect(diagrams.filter((diagram) => !known.test(diagram))).toEqual([]);
});

it('has only cells of tables that fit a screen', () => {
  const long = pages.flatMap((page) =>
    cellsOf(read(page))
      .filter((cell) => cell.length > LONGEST_CELL)
      .map((cell) => `${page}: ${cell}`),
  );
  expect(long).toEqual([]);
});

it('finds every npm script that a page runs', () => {
  const scriptsIn = (folder: string) => {
    const file = join(root, folder, 'package.json');
    return existsSync(file)
      ? Object.keys((JSON.parse(readFileSync(file, 'utf8')) as { scripts: object }).scripts)
      : [];
  };
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(NPM_SCRIPT)]
      .filter(([, before, name = '', after]) => {
        const workspace = before ?? after;
        // `npm run accept` in the service: the reader chooses the workspace.
        const folders = workspace === undefined ? ['', 'apps/fleet-api'] : [workspace];
        return !folders.some((folder) => scriptsIn(folder).includes(name));
      })
      .map(([command]) => `${page}: ${command}`),
  );
  expect(missing).toEqual([]);
});
