import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IMAGES, LIBRARY_FILES } from './images.ts';
import { productionPackages } from './production-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Lays what an image holds into a folder, from a clone that is installed and built: each package of its bill of
 * materials at its place, and nothing else, so that the bill is the image's.
 *
 * @throws {Error} naming what is not installed or built
 */
export function assemble(image: string, folder: string): void {
  const chosen = IMAGES[image];
  if (!chosen) throw new Error(`There is no image ${image}: use one of ${Object.keys(IMAGES).join(', ')}.`);
  const { workspace, files, beside = [] } = chosen;
  for (const { place, name } of productionPackages(root, workspace)) {
    if (/(^|\/)node_modules\//.test(place)) {
      copy(place, folder);
      continue;
    }
    for (const file of ['package.json', ...(place === workspace ? files : LIBRARY_FILES)])
      copy(join(place, file), folder);
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(folder, place)), link);
  }
  for (const file of beside) copy(file, folder);
}

/** Without the packages that lie inside a package: each of them has its own place on the bill. */
function copy(place: string, folder: string): void {
  cpSync(join(root, place), join(folder, place), {
    recursive: true,
    filter: (source) => basename(source) !== 'node_modules',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [image = '', folder = ''] = process.argv.slice(2);
  assemble(image, folder);
}
