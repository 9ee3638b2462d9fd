import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The posts have links of the website, which their own test resolves. */
const SKIPPED_FOLDERS = ['node_modules', 'dist', 'coverage', 'apps/website-api/content'];
const TEXT_FILE = /(\.(ts|mjs|js|md|ya?ml|tpl|html|json|txt|sql|sh|css|example)|Dockerfile)$/;
const PROJECT_FOLDERS = 'apps|libs|tools|clients|docker|k8s|docs';
/** `docs/fleet-api.md#sorting`: a page named from the root of the repository, in any file. */
const PAGE_CITATION = new RegExp(
  `(?<![\\w./@-])((?:(?:${PROJECT_FOLDERS})/[\\w./-]+|README|ARCHITECTURE|CONTRIBUTING)\\.md(?:#[\\w-]+)?)`,
  'g',
);
/** `api/alerts/alerts.queries.ts` or `api/alerts/`: a path below the `src` folder of a service, in ARCHITECTURE.md. */
const SERVICE_PATH = /`([a-z][\w-]*(?:\/[\w.-]+)*(?:\.ts|\/))`/g;
/** `libs/domain-types/src/alerts.ts`: a path in inline code of a page. */
const PATH_IN_CODE = new RegExp(`\`((?:${PROJECT_FOLDERS})/[\\w./@-]+)\``, 'g');

const files = filesBelow(root);
const pages = files.filter((file) => extname(file) === '.md');

it('resolves every link of every page', () => {
  const broken = pages.flatMap((page) =>
    linksOf(read(page))
      .filter((link) => !resolves(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('resolves every citation of a page in any file', () => {
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(PAGE_CITATION)]
      .map(([, citation = '']) => citation)
      .filter((citation) => !resolves('', citation))
      .map((citation) => `${file}: ${citation}`),
  );
  expect(broken).toEqual([]);
});

it('finds every path that a page mentions', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(PATH_IN_CODE)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(root, path)) && !path.includes('/dist'))
      .map((path) => `${page}: ${path}`),
  );
  expect(broken).toEqual([]);
});

it('finds every service path that ARCHITECTURE.md mentions', () => {
  const services = ['fleet-api', 'account-service', 'website-api'];
  const paths = [...read('ARCHITECTURE.md').matchAll(SERVICE_PATH)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(15);
  const found = (path: string) =>
    services.some((service) => existsSync(join(root, 'apps', service, 'src', path)));
  expect(paths.filter((path) => !found(path))).toEqual([]);
});

it('reports a missing page and a missing heading', () => {
  expect(resolves('docs/errors.md', 'missing.md')).toBe(false);
  expect(resolves('docs/errors.md', '../README.md#missing')).toBe(false);
  expect(resolves('docs/errors.md', 'services.md#rate-limits')).toBe(true);
});

/** Returns the paths of all text files below a folder, relative to the root. */
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
function read(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
  texts.set(file, text);
  return text;
}

/** Returns the targets of markdown links, except URLs with a scheme. */
function linksOf(markdown: string): string[] {
  return [...withoutCodeBlocks(markdown).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  );
}

/** @param link a file relative to `page`, an anchor in it, or both */
function resolves(page: string, link: string): boolean {
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

/** A `#` at the start of a shell line is not a heading. */
function withoutCodeBlocks(markdown: string): string {
  return markdown.replace(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2[^\n]*$/gm, '');
}
