import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LockedPackage {
  /** Where it is installed, from the root of the clone: `node_modules/pg`, or `libs/domain-types` for one of our own. */
  readonly place: string;
  readonly name: string;
  readonly version: string;
  /** Subresource integrity, such as `sha512-…`; our own packages have none. */
  readonly integrity?: string;
  /** SPDX licence expression. */
  readonly license?: string;
  /** The places of the packages that it needs. */
  readonly needs: readonly string[];
}

interface LockfileEntry {
  name?: string;
  version?: string;
  integrity?: string;
  license?: string;
  /** Of a link: the workspace that it leads to. */
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
}

type Lockfile = Record<string, LockfileEntry>;

/**
 * Every package that the image of a workspace holds, the workspace first: what package-lock.json says it needs at run
 * time, without what is optional or a peer that nobody names. It is what `npm ci --omit=dev --omit=optional
 * --omit=peer --workspace <workspace>` leaves to be found from there.
 */
export function productionPackages(root: string, workspace: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Lockfile;
  };
  const found = new Map<string, LockedPackage>();
  const waiting = [workspace];
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    if (found.has(place)) continue;
    const entry = packages[place];
    if (entry?.version === undefined) throw new Error(`package-lock.json has no package ${place}.`);
    const needs = Object.keys(entry.dependencies ?? {}).map((name) => placeOf(packages, place, name));
    found.set(place, {
      place,
      name: entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      ...(entry.integrity === undefined ? {} : { integrity: entry.integrity }),
      ...(entry.license === undefined ? {} : { license: entry.license }),
      needs,
    });
    waiting.push(...needs);
  }
  return [...found.values()];
}

/** Where a package finds another: the nearest node_modules on the way up; a link leads to its workspace. */
function placeOf(packages: Lockfile, from: string, name: string): string {
  const folders = from.split('/');
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const place = [...folders.slice(0, depth), 'node_modules', name].join('/');
    const entry = packages[place];
    if (entry) return entry.link && entry.resolved !== undefined ? entry.resolved : place;
  }
  throw new Error(`package-lock.json does not say where ${from} finds ${name}.`);
}
