import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { markStarted, openLog, type DataDirectory } from './data-directory.ts';
import { EmbeddedDatabaseError, reasonOf } from './errors.ts';
import { PROGRAM_ENVIRONMENT, type Installation } from './installation.ts';
import { listenError } from './listen-error.ts';

/** Long, because recovery after a crash replays up to max_wal_size of WAL. */
const READY_TIMEOUT_MS = 120_000;
/** Time for the last sessions of a stopped server to end. Until then their shared memory blocks a new server. */
const SHARED_MEMORY_TIMEOUT_MS = 10_000;
const FAST_SHUTDOWN_TIMEOUT_MS = 30_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 5_000;

/** Starts `postgres` and waits until it accepts queries. */
export async function startServer(
  directory: DataDirectory,
  installation: Installation,
  args: string[],
  adminUrl: string,
): Promise<ChildProcess> {
  const deadline = Date.now() + SHARED_MEMORY_TIMEOUT_MS;
  for (;;) {
    const { child, fatalError } = launch(directory, installation, args);
    const failure = await waitUntilReady(child, adminUrl);
    if (failure === undefined) return child;
    const reason = fatalError() ?? failure;
    if (!reason.includes('pre-existing shared memory block') || Date.now() > deadline) {
      throw new EmbeddedDatabaseError(explain(reason, directory));
    }
    await sleep(200);
  }
}

/**
 * Stops a server with a fast shutdown (closes sessions, writes all data). After a timeout with an immediate shutdown (the
 * next start recovers from the WAL), finally with SIGKILL.
 */
export async function stopServer(pid: number, hasEnded: () => boolean): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_SHUTDOWN_TIMEOUT_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_TIMEOUT_MS],
    ['SIGKILL', IMMEDIATE_SHUTDOWN_TIMEOUT_MS],
  ];
  for (const [signal, timeoutMs] of steps) {
    const deadline = Date.now() + timeoutMs;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    while (Date.now() < deadline) {
      if (hasEnded()) return;
      await sleep(20);
    }
  }
}

/** @throws EmbeddedDatabaseError when another program listens on the port */
export async function checkPortIsFree(host: string, port: number): Promise<void> {
  const error = await listenError(host, port);
  if (error === undefined) return;
  throw new EmbeddedDatabaseError(
    `PostgreSQL cannot listen on ${host}:${port} (${error}): stop the program that uses this port, or choose another port.`,
  );
}

function launch(directory: DataDirectory, { postgres }: Installation, args: string[]) {
  const { cluster, logFile, serverUser } = directory;
  const log = openLog(directory);
  const start = fstatSync(log).size;
  const child = spawn(postgres, ['-D', cluster, ...args], {
    ...serverUser,
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    stdio: ['ignore', log, log],
    // In a separate process group, Ctrl-C in the terminal does not stop the server while services still use it.
    detached: true,
  });
  closeSync(log);
  markStarted(directory);
  const fatalError = () =>
    [
      ...readFileSync(logFile)
        .subarray(start)
        .toString('utf8')
        .matchAll(/FATAL: +(.*)/g),
    ]
      .map(([, reason]) => reason)
      // Caused by the readiness probe.
      .findLast((reason) => reason !== 'the database system is starting up');
  return { child, fatalError };
}

/** Waits until the server accepts queries. Returns undefined, or the reason of a failed start. */
async function waitUntilReady(child: ChildProcess, adminUrl: string): Promise<string | undefined> {
  let failure: string | undefined;
  child.once('error', (error) => (failure = reasonOf(error)));
  child.once('exit', (code, signal) => (failure ??= `it ended with ${signal ?? `code ${code}`}`));
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (failure !== undefined) return failure;
    const reason = await probe(adminUrl);
    if (reason === undefined) return undefined;
    // 28P01 is a wrong password: waiting does not help.
    if (reason === '28P01' || Date.now() > deadline) {
      if (child.pid) await stopServer(child.pid, () => failure !== undefined);
      return reason;
    }
    await sleep(25);
  }
}

async function probe(adminUrl: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {}); // The call below rejects with the same error.
  try {
    await client.connect();
    await client.query('SELECT 1');
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function explain(reason: string, { path, logFile }: DataDirectory): string {
  if (reason === '28P01' || reason.startsWith('password authentication failed')) {
    return `The superuser's password for the database in ${path} is wrong: restore the file with the password, or start with --reset to delete the data.`;
  }
  if (reason.startsWith('could not create any TCP/IP sockets')) {
    return 'PostgreSQL cannot listen on its port, because another program is using it: stop that program, or choose another port.';
  }
  return `PostgreSQL did not start (${reason}): see ${logFile}.`;
}
