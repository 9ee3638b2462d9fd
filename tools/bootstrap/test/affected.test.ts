import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nx-affected-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the projects that `nx affected -t test` tests after a change of this file. */
function affectedBy(file: string): string[] {
  const graph = join(folder, 'graph.json');
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('NX_'));
  execFileSync(
    join(root, 'node_modules/.bin/nx'),
    ['affected', '-t', 'test', `--files=${file}`, `--graph=${graph}`],
    { cwd: root, env: { ...Object.fromEntries(inherited), NX_DAEMON: 'false' }, stdio: 'pipe' },
  );
  const { tasks } = JSON.parse(readFileSync(graph, 'utf8')) as { tasks: { tasks: Record<string, object> } };
  return Object.keys(tasks.tasks)
    .map((task) => task.replace('@gpu-observatory/', ''))
    .filter((task) => task.endsWith(':test'))
    .map((task) => task.replace(':test', ''))
    .sort();
}

it.each([
  [
    'a page: the projects whose tests read it',
    'docs/errors.md',
    ['client', 'documentation', 'error-envelopes', 'manifests'],
  ],
  [
    'a library: its dependents, and the projects whose tests run the services',
    'libs/token-verification/src/index.ts',
    [
      ...[
        'account-service',
        'benchmarks',
        'documentation',
        'fleet-api',
        'images',
        'local-stack',
        'manifests',
      ],
      ...['scale-check', 'token-verification'],
    ],
  ],
])('nx affected tests after a change of %s', (_name, file, projects) => {
  expect(affectedBy(file)).toEqual(projects);
});
