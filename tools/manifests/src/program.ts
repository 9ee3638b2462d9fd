import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

/** A program failed. The message is its output. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
}

/** The largest output, a chart with all options, has about 100 KB. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** @throws {ProgramError} for an exit code other than 0 */
export function run(program: string, args: string[], input?: string): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    // Excludes the user's cluster and helm settings.
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    ...(input !== undefined && { input }),
  });
  if (error) throw error;
  if (status !== 0) throw new ProgramError(`${stderr}${stdout}`.trim());
  return stdout;
}

/**
 * Returns the path of a program in node_modules if it runs on this platform, otherwise the installed command.
 *
 * @param platforms such as `linux-x64`, on which `path` in node_modules runs
 */
export function programFrom(path: string, platforms: string[], installed: string): string {
  const bundled = join(root, 'node_modules', path);
  return platforms.includes(`${platform()}-${arch()}`) && existsSync(bundled) ? bundled : installed;
}
