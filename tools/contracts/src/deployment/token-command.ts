import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { Unusable } from '../unusable.ts';

const PATIENCE_MS = 60_000;

/**
 * Runs the command that prints an access token, in a shell as the person wrote it.
 *
 * @throws {Unusable} when it fails, or prints anything but one token
 */
export async function tokenFrom(command: string): Promise<string> {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS });
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
    const why = errors.trim().split('\n').at(-1) || 'it said nothing';
    throw new Unusable(`The --token-command ended with ${code ?? 'a signal'}: ${why}`);
  }
  if (token === '' || /\s/.test(token)) {
    throw new Unusable(
      'The --token-command should print one access token and nothing else; npm needs "npm run -s" for that.',
    );
  }
  return token;
}
