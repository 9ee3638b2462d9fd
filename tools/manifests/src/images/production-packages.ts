import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LockedPackage {
  /** Path from the repository root: `node_modules/pg`, or `libs/domain-types` for our own packages. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Subresource integrity, for example `sha512-…`. Of our own packages: of their sources. */
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

/** Licenses of packages whose package.json has no `license`, from their license file or README. */
const LICENSES: Record<string, string> = {
  'node_modules/passport-github2': 'MIT',
  'node_modules/passport-strategy': 'MIT',
  'node_modules/pause': 'MIT',
};

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
      integrity: entry.integrity ?? sourceIntegrity(join(root, path)),
      ...licenseOf(path, entry),
      dependencies,
    });
    queue.push(...dependencies);
  }
  return [...found.values()];
}

function licenseOf(path: string, { license = LICENSES[path] }: LockfileEntry): { license?: string } {
  return license === undefined ? {} : { license };
}

/** Hashes package.json and the sources of one of our packages, each file with its path. */
function sourceIntegrity(folder: string): string {
  const hash = createHash('sha512');
  const sources = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of [join(folder, 'package.json'), ...sources.sort()])
    hash
      .update(`${file.slice(folder.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return `sha512-${hash.digest('base64')}`;
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
