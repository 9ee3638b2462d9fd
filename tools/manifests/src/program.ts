import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

/** A program refused what it was asked; the message is what it said. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The newest output is a chart with everything on, of some 100 KB. */
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;

/** @throws {Refused} when it ends with anything but 0 */
export function run(program: string, args: string[], input?: string): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: OUTPUT_LIMIT_BYTES,
    // Neither a cluster nor a person's own settings of helm have a say.
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    ...(input !== undefined && { input }),
  });
  if (error) throw error;
  if (status !== 0) throw new Refused(`${stderr}${stdout}`.trim());
  return stdout;
}

/**
 * A program of the npm tree where npm carries it for this machine, else the one that is installed.
 *
 * @param carriedFor the platforms, as `linux-x64`, for which `path` in node_modules runs
 */
export function programFrom(path: string, carriedFor: string[], installed: string): string {
  const carried = join(root, 'node_modules', path);
  return carriedFor.includes(`${platform()}-${arch()}`) && existsSync(carried) ? carried : installed;
}
