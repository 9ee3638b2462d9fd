import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { root } from '../root.ts';

/** A source folder and its folder of compiled files, as in the `build` scripts. */
export interface SourceFolder {
  source: string;
  compiled: string;
}

/** Compiles a changed TypeScript file, copies another file, and deletes the result of a deleted one. */
export async function compileFile({ source, compiled }: SourceFolder, file: string): Promise<void> {
  const target = join(compiled, relative(source, file)).replace(/\.ts$/, '.js');
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) {
    for (const path of [target, `${target}.map`]) rmSync(path, { recursive: true, force: true });
    return;
  }
  if (!found.isFile()) return;
  mkdirSync(dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) {
    copyFileSync(file, target);
    return;
  }
  const { code, map } = await transformFile(file, {
    configFile: join(root, '.swcrc'),
    sourceFileName: relative(dirname(target), file),
  });
  writeFileSync(target, `${code}\n//# sourceMappingURL=${basename(target)}.map`);
  writeFileSync(`${target}.map`, map ?? '');
}
