import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generatedFiles, HOOKS } from './generated-files.ts';
import { root } from './root.ts';

/** Writes all generated files. Check the diff before you commit it. */
const files = generatedFiles();
for (const [path, text] of files) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const folders = ['base', ...Object.keys(HOOKS)].map((name) => `k8s/kustomize/${name}`);
for (const folder of folders) {
  for (const name of readdirSync(join(root, folder))) {
    if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
  }
}
console.log(`${files.size} files written`);
