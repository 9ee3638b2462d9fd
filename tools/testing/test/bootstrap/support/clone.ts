import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bootstrap = fileURLToPath(new URL('../../../../bootstrap', import.meta.url));

// A fake Nx, because the real one takes a minute to install, next to a development package. It records its arguments, fails if the file `broken` exists, and
// takes its second result from the cache.
const nx = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('nx-calls.txt', process.argv.slice(2).join(' ') + '\\n');
console.log('output of the build\\n  Cache:             ' + (existsSync('built') ? 1 : 0) + '/1 hit');
writeFileSync('built', '');
mkdirSync('apps/service/dist', { recursive: true });
process.exit(existsSync('broken') ? 1 : 0);
`;

export const packageJson = {
  name: 'clone',
  dependencies: { nx: 'file:nx' },
  devDependencies: { runner: 'file:runner' },
};

/** Creates a repository without installed packages, in a path with spaces, that contains tools/bootstrap. */
export function makeClone(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'a clone ')));
  cpSync(bootstrap, join(directory, 'tools', 'bootstrap'), { recursive: true });
  mkdirSync(join(directory, 'nx'));
  writeJson(join(directory, 'nx', 'package.json'), { name: 'nx', version: '1.0.0', bin: 'nx.js' });
  writeFileSync(join(directory, 'nx', 'nx.js'), nx);
  chmodSync(join(directory, 'nx', 'nx.js'), 0o755);
  mkdirSync(join(directory, 'runner'));
  writeJson(join(directory, 'runner', 'package.json'), { name: 'runner', version: '1.0.0' });
  writeJson(join(directory, 'package.json'), packageJson);
  for (const file of ['.swcrc', 'tsconfig.base.json']) writeJson(join(directory, file), {});
  for (const folder of ['apps/service/src', 'libs', 'clients'])
    mkdirSync(join(directory, folder), { recursive: true });
  writeJson(join(directory, 'apps', 'service', 'package.json'), { scripts: { build: 'swc' } });
  for (const name of ['main', 'unused'])
    writeFileSync(join(directory, 'apps', 'service', 'src', `${name}.ts`), '');
  lock(directory);
  return directory;
}

/** Updates the lockfile after a change of package.json. */
export function lock(directory: string): void {
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--loglevel=error'], {
    cwd: directory,
  });
}

/** Writes the program of `npm start`, or another one. */
export function writeProgram(
  directory: string,
  source: string,
  path = 'tools/local-stack/src/main.ts',
): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
}

export function writeJson(file: string, content: unknown): void {
  writeFileSync(file, JSON.stringify(content));
}

interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Starts run.mjs with these arguments. */
export function runBootstrap(directory: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child: ChildProcess = spawn(process.execPath, ['tools/bootstrap/run.mjs', ...args], {
    cwd: directory,
    env: { ...process.env, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr!.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr })),
  );
  return { child, ended };
}
