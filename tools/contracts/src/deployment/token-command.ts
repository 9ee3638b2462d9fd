import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { RunError } from '../run-error.ts';

const TIMEOUT_MS = 60_000;

/**
 * Runs a shell command that prints an access token.
 *
 * @throws {RunError} when the command fails or prints anything but one token
 */
export async function tokenFrom(command: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('close', resolve);
    }),
  ]);
  const token = output.trim();
  if (code !== 0) {
    const why = errors.trim().split('\n').at(-1) || 'nothing on standard error';
    throw new RunError(
      `The --token-command failed with ${code === null ? 'a signal' : `exit code ${code}`}: ${why}`,
    );
  }
  if (token === '' || /\s/.test(token)) {
    throw new RunError(
      'The --token-command must print one access token and nothing else. Use "npm run -s" to silence npm.',
    );
  }
  return token;
}
