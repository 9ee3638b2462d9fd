import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ImportResult } from '../../src/importer/run/import-session.ts';

/** The compiled program, as a process that can be killed. `npm test` and `npm run build` build it. */
const PROGRAM = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url));

export interface ImportProcess {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string; errors: string }>;
}

/** Starts `import …` as a process. */
export function startImport(url: string, args: string[], cwd?: string): ImportProcess {
  const child = spawn(process.execPath, [PROGRAM, 'import', ...args], {
    env: { PATH: process.env.PATH, IMPORTER_DATABASE_URL: url },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stdin.on('error', () => undefined); // EPIPE after the process was killed.
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([exit, output, errors]) => {
      const [code, signal] = exit as [number | null, NodeJS.Signals | null];
      return { code, signal, output, errors };
    },
  );
  return { child, ended };
}

/** Runs `import …` until it exits. */
export async function runImport(
  url: string,
  args: string[],
  { input = '', cwd }: { input?: string; cwd?: string } = {},
): Promise<{ code: number | null; result: ImportResult | null; errors: string }> {
  const { child, ended } = startImport(url, args, cwd);
  child.stdin.end(input);
  const { code, output, errors } = await ended;
  return { code, result: output === '' ? null : (JSON.parse(output) as ImportResult), errors };
}
