import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LockedPackage {
  /** Path from the repository root: `node_modules/pg`, or `libs/domain-types` for our own packages. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Subresource integrity, for example `sha512-…`. Undefined for our own packages. */
  readonly integrity?: string;
  /** SPDX license expression. */
  readonly license?: string;
  /** Paths of its dependencies. */
  readonly dependencies: readonly string[];
}

interface LockfileEntry {
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  /** Target workspace of a link. */
  resolved?: string;
  dependencies?: Record<string, string>;
}

type Lockfile = Record<string, LockfileEntry>;

/**
 * Lists the packages in the image of a workspace, the workspace first: its transitive runtime dependencies in
 * package-lock.json without optional and peer dependencies. The result matches `npm ci --omit=dev --omit=optional
 * --omit=peer --workspace <workspace>`.
 */
export function productionPackages(root: string, workspace: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Lockfile;
  };
  const found = new Map<string, LockedPackage>();
  const queue = [workspace];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (found.has(path)) continue;
    const entry = packages[path];
    if (entry?.version === undefined) throw new Error(`package-lock.json has no package ${path}.`);
    const dependencies = Object.keys(entry.dependencies ?? {}).map((name) =>
      resolvePackage(packages, path, name),
    );
    found.set(path, {
      path,
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      ...(entry.integrity === undefined ? {} : { integrity: entry.integrity }),
      ...(entry.license === undefined ? {} : { license: entry.license }),
      dependencies,
    });
    queue.push(...dependencies);
  }
  return [...found.values()];
}

/** Resolves a dependency like Node.js, in the nearest node_modules upwards. A link resolves to its workspace. */
function resolvePackage(packages: Lockfile, from: string, name: string): string {
  const folders = from.split('/');
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const path = [...folders.slice(0, depth), 'node_modules', name].join('/');
    const entry = packages[path];
    if (entry) return entry.link && entry.resolved !== undefined ? entry.resolved : path;
  }
  throw new Error(`package-lock.json has no entry for ${name}, a dependency of ${from}.`);
}
