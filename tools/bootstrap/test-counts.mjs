import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

const FOLDER = join(root, '.nx', 'test-counts');

/**
 * Returns the file for the test counts of a project, an output of its target `test` in Nx's cache.
 *
 * @param {string} project folder, relative to the root
 */
export const countsFile = (project) => join(FOLDER, `${project}.json`);

export function removeCounts() {
  rmSync(FOLDER, { recursive: true, force: true });
}

/**
 * Adds up the counts of all projects with tests. A project without counts did not run or crashed, and counts as a failed
 * test.
 *
 * @returns {{ counts: { passed: number, failed: number, skipped: number }, missing: string[] }}
 */
export function sumCounts() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const missing = [];
  for (const project of projects()) {
    const file = countsFile(project);
    if (!existsSync(file)) {
      counts.failed += 1;
      missing.push(project);
      continue;
    }
    const { passed, failed, skipped } = JSON.parse(readFileSync(file, 'utf8'));
    counts.passed += passed;
    counts.failed += failed;
    counts.skipped += skipped;
  }
  return { counts, missing };
}

/** Returns the folders of the workspaces with tests. */
function projects() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return globSync(
    workspaces.map((pattern) => `${pattern}/jest.config.mjs`),
    { cwd: root },
  )
    .map(dirname)
    .sort();
}
