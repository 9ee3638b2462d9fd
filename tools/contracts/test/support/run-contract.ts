import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Runs the command with plain Node, as the image and CI do. */
export async function runContract(...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { env: { PATH: process.env.PATH } });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { output, errors, code };
}
