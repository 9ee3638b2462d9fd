import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, manifestsOf } from './manifest.ts';
import { root } from '../../src/root.ts';

const folder = join(root, 'k8s/examples');

/** Reads the objects of k8s/examples/, including custom resources, except those of the Barman Cloud plugin, which has no types on npm. */
export function examples(): Manifest[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && !name.startsWith('values-'))
    .flatMap((name) => manifestsOf(readFileSync(join(folder, name), 'utf8')))
    .filter(({ apiVersion }) => !apiVersion.startsWith('barmancloud.'));
}

/** Reads the values files of k8s/examples/ by name. */
export function exampleValues(): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.startsWith('values-'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
