import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs `npm run frozen -- replay` with these options, and returns its output, which contains the differences. */
export async function replay(...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'replay', ...options], {
    maxBuffer: 2 ** 26,
  }).catch((failure: { stdout: string; stderr: string }) => ({
    stdout: `${failure.stdout}${failure.stderr}`,
  }));
  return stdout;
}
