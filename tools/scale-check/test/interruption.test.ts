import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const INTERRUPTED = `
  import { spawn } from 'node:child_process';
  import { mkdtempSync, writeFileSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  import { cleanUpWhenInterrupted, deleteAtExit, stopAtExit } from '${join(import.meta.dirname, '../src/interruption.ts')}';

  cleanUpWhenInterrupted();
  const folder = mkdtempSync(join(tmpdir(), 'interruption-'));
  deleteAtExit(folder);
  writeFileSync(join(folder, 'private-key.pem'), 'key');
  const child = stopAtExit(spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']));
  child.once('spawn', () => console.log(JSON.stringify({ folder, pid: child.pid })));
`;

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s deletes the files and stops the programs', async (signal, code) => {
  const process_ = spawn(process.execPath, ['--input-type=module', '--eval', INTERRUPTED], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(process_.stdout);
  const [line] = (await once(process_.stdout, 'data')) as [Buffer];
  const { folder, pid } = JSON.parse(String(line)) as { folder: string; pid: number };
  try {
    expect(readFileSync(join(folder, 'private-key.pem'), 'utf8')).toBe('key');
    process_.kill(signal);
    expect(await once(process_, 'exit')).toEqual([code, null]);
    expect(existsSync(folder)).toBe(false);
    while (isRunning(pid)) await sleep(20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await output;
  }
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
