import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The posts have links of the website, which their own test resolves. */
const SKIPPED_FOLDERS = ['node_modules', 'dist', 'coverage', 'apps/website-api/content'];
const TEXT_FILE = /(\.(ts|mjs|js|md|ya?ml|tpl|html|json|txt|sql|sh|css|example)|Dockerfile)$/;

/** Paths of all text files of the repository, relative to the root. */
export const files = filesBelow(root);
export const pages = files.filter((file) => extname(file) === '.md');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name.startsWith('.') || SKIPPED_FOLDERS.some((skipped) => path.endsWith(`/${skipped}`))
        ? []
        : filesBelow(path);
    return TEXT_FILE.test(entry.name) && entry.name !== 'package-lock.json' ? [relative(root, path)] : [];
  });
}

const texts = new Map<string, string>();
export function read(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  texts.set(file, text);
  return text;
}

/** Returns the targets of markdown links and pictures, and of pictures in HTML, except URLs with a scheme. */
export function linksOf(markdown: string): string[] {
  const targets = /\]\((?![a-z]+:)([^)\s]+)\)|<(?:img|source)\b[^>]*?\bsrc(?:set)?="(?![a-z]+:)([^"]+)"/g;
  return [...withoutCodeBlocks(markdown).matchAll(targets)].map(([, link, picture]) => link ?? picture ?? '');
}

/** @param link a file relative to `page`, an anchor in it, or both */
export function resolves(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const target = file === '' ? page : join(dirname(page), file);
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || anchorsOf(target).has(heading);
}

const anchors = new Map<string, Set<string>>();
function anchorsOf(page: string): Set<string> {
  let known = anchors.get(page);
  if (!known) {
    known = new Set();
    for (const [, heading = ''] of withoutCodeBlocks(read(page)).matchAll(/^#+ (.*)$/gm)) {
      const slug = slugOf(heading);
      let anchor = slug;
      for (let repeat = 1; known.has(anchor); repeat += 1) anchor = `${slug}-${repeat}`;
      known.add(anchor);
    }
    anchors.set(page, known);
  }
  return known;
}

/** Returns the anchor that GitHub generates for a heading. */
function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

const CODE_BLOCK = /^( *)(```+|~~~+)(\w*)[^\n]*\n([\s\S]*?)^\1\2[^\n]*$/gm;

/** A `#` at the start of a shell line is not a heading. */
export function withoutCodeBlocks(markdown: string): string {
  return markdown.replace(CODE_BLOCK, '');
}

/** Returns the code blocks of a language. */
export function codeBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(CODE_BLOCK)].flatMap(([, , , name, code]) =>
    name === language && code !== undefined ? [code] : [],
  );
}

/** Returns the cells of the tables as a reader sees them: links as their text, without backticks. */
export function cellsOf(markdown: string): string[] {
  return [...withoutCodeBlocks(markdown).matchAll(/^ *\|(.*)\|$/gm)]
    .flatMap(([, row = '']) => row.split(/(?<!\\)\|/))
    .map((cell) =>
      cell
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll('`', '')
        .trim(),
    )
    .filter((cell) => !/^:?-+:?$/.test(cell));
}
