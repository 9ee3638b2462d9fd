import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** Returns the shell scripts of a page: its `sh` blocks. */
export function scriptsOf(page: string): string[] {
  return [...readFileSync(join(root, page), 'utf8').matchAll(/^( *)```sh\n([^]*?)^\1```/gm)].map(
    ([, indent = '', script = '']) => script.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}
