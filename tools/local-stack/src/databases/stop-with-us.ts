import { spawn } from 'node:child_process';

/**
 * Has the database server stopped when this process ends in a way that leaves it no time to do so itself. A shell
 * waits for the end of a pipe that only we hold: the smallest process that notices.
 *
 * @returns lets the shell go, once the server has ended
 */
export function stopWithUs(serverPid: number): () => void {
  const shell = spawn('/bin/sh', ['-c', 'read -r line; kill -INT "$1"', 'sh', String(serverPid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.once('error', () => {}); // Without it the next start stops the server.
  shell.unref();
  return () => void shell.kill('SIGKILL');
}
