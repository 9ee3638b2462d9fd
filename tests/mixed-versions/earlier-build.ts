import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** A compiled checkout of an earlier commit. */
export interface EarlierBuild extends AsyncDisposable {
  folder: string;
}

/**
 * Checks a commit out into a temporary folder, installs its packages and compiles its services.
 *
 * @throws {Error} with the output of git, npm or Nx; a shallow clone lacks earlier commits
 */
export async function buildEarlier(commit: string): Promise<EarlierBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-earlier-'));
  const dispose = async () => {
    await rm(folder, { recursive: true, force: true });
    await run('git', ['worktree', 'prune'], { cwd: root });
  };
  try {
    await run('git', ['worktree', 'add', '--detach', folder, commit], { cwd: root });
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      maxBuffer: 2 ** 26,
    });
    await run(
      'npx',
      ['nx', 'run-many', '-t', 'build', '-p', '@gpu-observatory/fleet-api,@gpu-observatory/account-service'],
      {
        cwd: folder,
        maxBuffer: 2 ** 26,
        env: { ...process.env, NX_DAEMON: 'false' },
      },
    );
  } catch (error) {
    await dispose();
    throw error;
  }
  return { folder, [Symbol.asyncDispose]: dispose };
}
