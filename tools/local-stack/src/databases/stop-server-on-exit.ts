import { spawn } from 'node:child_process';

/**
 * Stops the database server when this process exits without stopping it, for example after SIGKILL. A shell process waits
 * for the end of a pipe from this process, then signals the server.
 *
 * @returns a function that ends the shell, to be called when the server has exited
 */
export function stopServerOnExit(serverPid: number): () => void {
  const shell = spawn('/bin/sh', ['-c', 'read -r line; kill -INT "$1"', 'sh', String(serverPid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.once('error', () => {}); // Without a shell, the next start stops the server.
  shell.unref();
  return () => void shell.kill('SIGKILL');
}
