// Adds the missing digests of package-lock.json from the registry, see docs/releasing.md. npm writes the digest of a package
// only when the registry serves it, and later installs do not add it. With --check it changes nothing and lists the packages
// without a digest.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './root.mjs';

/**
 * Returns the packages of a registry that have no digest, by path.
 *
 * @template {{ version: string, link?: boolean, integrity?: string }} Entry
 * @param {{ packages: Record<string, Entry> }} lockfile
 */
export function packagesWithoutDigest({ packages }) {
  return Object.entries(packages).filter(
    ([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(root, 'package-lock.json');
  const lockfile = JSON.parse(readFileSync(file, 'utf8'));
  const check = process.argv.includes('--check');
  const remaining = [];
  for (const [path, entry] of packagesWithoutDigest(lockfile)) {
    const name = `${entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`;
    const integrity = check ? undefined : digestOf(name);
    if (integrity === undefined) {
      remaining.push(name);
      continue;
    }
    const { version, ...others } = entry;
    lockfile.packages[path] = { version, integrity, ...others };
  }
  if (!check) writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
  for (const name of remaining) console.error(`${name} has no digest.`);
  process.exitCode = remaining.length > 0 ? 1 : 0;
}

/** Returns undefined for a package that the registry does not have. */
function digestOf(name) {
  const { stdout } = spawnSync('npm', ['view', name, 'dist.integrity'], { cwd: root, encoding: 'utf8' });
  return stdout.trim() || undefined;
}
