import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNAL_DEDUPLICATION_MS = 500;
const PARENT_CHECK_INTERVAL_MS = 250;
const parent = process.ppid;

/**
 * Runs a program until it exits and forwards signals to it.
 *
 * The terminal and npm may both deliver one Ctrl-C. The program gets it once, because a second one often means to stop
 * without cleaning up. When npm is stopped, it kills the shell between itself and this process; a changed parent process is
 * then the only sign.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(child: import('node:child_process').ChildProcess) => void} [attach]
 * @returns {Promise<number>} its exit code; 128 + n after signal n, as in a shell
 */
export function run(program, args, options, attach = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options);
    attach(child);
    const lastForwarded = new Map();
    const forward = (signal) => {
      if (performance.now() - (lastForwarded.get(signal) ?? -Infinity) < SIGNAL_DEDUPLICATION_MS) return;
      lastForwarded.set(signal, performance.now());
      // A closed terminal stops the program like SIGTERM.
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, forward);
    const parentCheck = setInterval(() => {
      if (!process.env.npm_lifecycle_event || process.ppid === parent) return;
      clearInterval(parentCheck);
      forward('SIGTERM');
    }, PARENT_CHECK_INTERVAL_MS);
    const settle = (act) => {
      clearInterval(parentCheck);
      for (const signal of signals) process.off(signal, forward);
      act();
    };
    child.once('error', (error) => settle(() => reject(error)));
    child.once('close', (code, signal) =>
      settle(() => resolve(code ?? 128 + (constants.signals[signal] ?? 0))),
    );
  });
}

/**
 * Runs a program and captures its output.
 *
 * @returns {Promise<{ exitCode: number, output: string }>} standard output and error, interleaved
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
