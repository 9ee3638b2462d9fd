import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../root.ts';
import { IMAGES, LIBRARY_FILES } from './images.ts';
import { productionPackages } from './production-packages.ts';

/**
 * Copies the contents of an image from an installed and built clone into a folder. The contents are exactly the packages
 * of the bill of materials.
 *
 * @throws {Error} if a package is not installed or built
 */
export function assemble(image: string, folder: string): void {
  const definition = IMAGES[image];
  if (!definition) throw new Error(`Unknown image "${image}". Use one of ${Object.keys(IMAGES).join(', ')}.`);
  const { workspace, files, isBundled = false, repositoryFiles = [] } = definition;
  const packages = productionPackages(root, workspace);
  for (const { path, name } of isBundled ? packages.slice(0, 1) : packages) {
    if (/(^|\/)node_modules\//.test(path)) {
      copy(path, folder);
      continue;
    }
    for (const file of ['package.json', ...(path === workspace ? files : LIBRARY_FILES)])
      copy(join(path, file), folder);
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(folder, path)), link);
  }
  for (const file of repositoryFiles) copy(file, folder);
}

/** Source maps and type declarations, which no running service reads: half of the size of the files. */
const DEVELOPMENT_FILE = /\.(map|d\.[cm]?ts)$/;

/** Further files of packages from the registry that no service reads: sources in TypeScript, documents, and builds for browsers. */
const UNUSED_PACKAGE_FILE =
  /\.([cm]?tsx?|flow|markdown)$|\/(?!licen[cs]e)[^/]*\.md$|\/node_modules\/typeorm\/browser(\/|$)/i;

/** Copies a package without nested packages, which are listed separately, and without development files. */
function copy(path: string, folder: string): void {
  const isOurs = !/(^|\/)node_modules\//.test(path);
  cpSync(join(root, path), join(folder, path), {
    recursive: true,
    filter: (source) =>
      basename(source) !== 'node_modules' &&
      !DEVELOPMENT_FILE.test(source) &&
      (isOurs || !UNUSED_PACKAGE_FILE.test(source)),
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [image = '', folder = ''] = process.argv.slice(2);
  assemble(image, folder);
}
