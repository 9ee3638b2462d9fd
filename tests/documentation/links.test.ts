import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { files, linksOf, pages, read, resolves, root } from './pages.ts';

const PROJECT_FOLDERS = 'apps|libs|tools|clients|docker|k8s|docs';
/** `docs/fleet-api.md#sorting`: a page named from the root of the repository, in any file. */
const PAGE_CITATION = new RegExp(
  `(?<![\\w./@-])((?:(?:${PROJECT_FOLDERS})/[\\w./-]+|README|ARCHITECTURE|CONTRIBUTING)\\.md(?:#[\\w-]+)?)`,
  'g',
);
/** `api/alerts/alerts.queries.ts` or `api/alerts/`: a path below the `src` folder of a service, in ARCHITECTURE.md. */
const SERVICE_PATH = /`([a-z][\w-]*(?:\/[\w.-]+)*(?:\.tsx?|\/))`/g;
/** `libs/domain-types/src/alerts.ts`: a path in inline code of a page. */
const PATH_IN_CODE = new RegExp(`\`((?:${PROJECT_FOLDERS})/[\\w./@-]+)\``, 'g');

it('resolves every link and picture of every page', () => {
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
      // The reader creates docker/.env.
      .filter((path) => !existsSync(join(root, path)) && !path.includes('/dist') && path !== 'docker/.env')
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

it('reports a missing page, picture and heading', () => {
  expect(resolves('docs/errors.md', 'missing.md')).toBe(false);
  expect(resolves('docs/errors.md', '../README.md#missing')).toBe(false);
  expect(resolves('docs/errors.md', 'services.md#rate-limits')).toBe(true);
  expect(linksOf('<source srcset="a.png"><img alt="b" src="b.png">![c](c.png)')).toEqual([
    'a.png',
    'b.png',
    'c.png',
  ]);
});
