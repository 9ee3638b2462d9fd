import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nx-affected-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the tasks that `nx affected` runs after a change of this file, such as `client:test`. */
function affectedBy(file: string): string[] {
  const graph = join(folder, 'graph.json');
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('NX_'));
  execFileSync(
    join(root, 'node_modules/.bin/nx'),
    ['affected', '-t', 'lint', 'typecheck', 'test', `--files=${file}`, `--graph=${graph}`],
    { cwd: root, env: { ...Object.fromEntries(inherited), NX_DAEMON: 'false' }, stdio: 'pipe' },
  );
  const { tasks } = JSON.parse(readFileSync(graph, 'utf8')) as { tasks: { tasks: Record<string, object> } };
  return Object.keys(tasks.tasks)
    .map((task) => task.replace('@gpu-observatory/', ''))
    .filter((task) => !task.endsWith(':build'))
    .sort();
}
const all = (project: string) => [`${project}:lint`, `${project}:test`, `${project}:typecheck`];

it.each([
  ['a tool: the tool only', 'tools/scale-check/src/main.ts', [...all('scale-check'), 'documentation:test']],
  [
    'a page: the tests that read it',
    'docs/errors.md',
    ['client:test', 'documentation:test', 'error-envelopes:test', 'manifests:test'],
  ],
  [
    'an OpenAPI document: the service, its clients, and the tests that run the service',
    'apps/account-service/openapi.json',
    [
      ...['account-service', 'benchmarks', 'client', 'contracts', 'documentation', 'images'],
      ...['local-stack', 'manifests', 'scale-check'],
    ].map((project) => `${project}:test`),
  ],
  [
    'a library: its dependents, and the tests that run the services',
    'libs/token-verification/src/index.ts',
    [
      ...['token-verification', 'fleet-api', 'account-service', 'benchmarks'].flatMap(all),
      ...['documentation', 'images', 'local-stack', 'manifests', 'scale-check'].map(
        (project) => `${project}:test`,
      ),
    ],
  ],
])('nx affected runs after a change of %s', (_name, file, tasks) => {
  expect(affectedBy(file)).toEqual(tasks.sort());
});

it('every project with tests runs them with tools/bootstrap/jest.mjs, which writes their counts', () => {
  const projects = globSync('{{apps,libs,tools,clients}/*,docker}/jest.config.mjs', { cwd: root }).map(
    dirname,
  );
  expect(projects.length).toBeGreaterThan(15);
  for (const project of projects) {
    const { scripts } = JSON.parse(readFileSync(join(root, project, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const program = join(relative(project, '.'), 'tools/bootstrap/jest.mjs');
    expect([project, scripts['test']]).toEqual([project, `node ${program}`]);
  }
});
