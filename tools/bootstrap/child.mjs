import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const COALESCE_MS = 500;
const PARENT_CHECK_MS = 250;
const parent = process.ppid;

/**
 * Runs a program to its end and passes on the signals that would end this process.
 *
 * A Ctrl-C may arrive twice, from the terminal and from npm, which passes it on too; the program gets it once, since
 * a second one often means "at once, without cleaning up". And npm, told to stop, ends the shell between itself and us
 * and is gone: then nothing but a new parent tells us.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(child: import('node:child_process').ChildProcess) => void} [attach]
 * @returns {Promise<number>} its exit code; as in a shell, 128 + n when signal n ended it
 */
export function run(program, args, options, attach = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options);
    attach(child);
    const lastPassedOn = new Map();
    const passOn = (signal) => {
      if (performance.now() - (lastPassedOn.get(signal) ?? -Infinity) < COALESCE_MS) return;
      lastPassedOn.set(signal, performance.now());
      // A closed terminal asks for the same as a stop does.
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, passOn);
    const parentCheck = setInterval(() => {
      if (!process.env.npm_lifecycle_event || process.ppid === parent) return;
      clearInterval(parentCheck);
      passOn('SIGTERM');
    }, PARENT_CHECK_MS);
    const settle = (act) => {
      clearInterval(parentCheck);
      for (const signal of signals) process.off(signal, passOn);
      act();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code, signal) =>
      settle(() => resolve(code ?? 128 + (constants.signals[signal] ?? 0))),
    );
  });
}

/**
 * Runs a program without showing what it says.
 *
 * @returns {Promise<{ exitCode: number, output: string }>} standard output and error as they came
 */
export async function runQuietly(program, args, options) {
  let output = '';
  const collect = (text) => (output += text);
  const exitCode = await run(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }, (child) => {
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
  });
  return { exitCode, output };
}
