import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { markStarted, openLog, type DataDirectory } from './data-directory.ts';
import { EmbeddedDatabaseError, reasonOf } from './errors.ts';
import { PROGRAM_ENVIRONMENT, type Installation } from './installation.ts';

/** Recovery after a crash replays up to max_wal_size of log first. */
const READY_TIMEOUT_MS = 120_000;
/** A former server's last sessions end within moments of it; until then their shared memory is in the way. */
const LEFTOVER_TIMEOUT_MS = 10_000;
const FAST_SHUTDOWN_TIMEOUT_MS = 30_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 5_000;

/** Starts `postgres` and waits until it answers a query. */
export async function startServer(
  place: DataDirectory,
  installation: Installation,
  args: string[],
  adminUrl: string,
): Promise<ChildProcess> {
  const deadline = Date.now() + LEFTOVER_TIMEOUT_MS;
  for (;;) {
    const { child, complaint } = launch(place, installation, args);
    const failure = await untilReady(child, adminUrl);
    if (failure === undefined) return child;
    const reason = complaint() ?? failure;
    if (!reason.includes('pre-existing shared memory block') || Date.now() > deadline) {
      throw new EmbeddedDatabaseError(explain(reason, place));
    }
    await sleep(200);
  }
}

/**
 * Stops a server: sessions are cut and data is written out; if that takes too long, at once (the next start then
 * recovers from the log); at last by force.
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
export function refuseTakenPort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) =>
      reject(
        new EmbeddedDatabaseError(
          `PostgreSQL cannot listen on ${host}:${port} (${reasonOf(error)}): stop the program that uses this port, or choose another one.`,
        ),
      ),
    );
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

function launch(place: DataDirectory, { postgres }: Installation, args: string[]) {
  const { cluster, logFile, serverUser } = place;
  const log = openLog(place);
  const start = fstatSync(log).size;
  const child = spawn(postgres, ['-D', cluster, ...args], {
    ...serverUser,
    cwd: '/',
    env: PROGRAM_ENVIRONMENT,
    stdio: ['ignore', log, log],
    // A session of its own: Ctrl-C in the terminal reaches the program that stops the server in its turn, not the
    // server while the services still use it.
    detached: true,
  });
  closeSync(log);
  markStarted(place);
  const complaint = () =>
    [
      ...readFileSync(logFile)
        .subarray(start)
        .toString('utf8')
        .matchAll(/FATAL: +(.*)/g),
    ]
      .map(([, reason]) => reason)
      // Our own question whether it is ready, asked too early.
      .findLast((reason) => reason !== 'the database system is starting up');
  return { child, complaint };
}

/** Undefined once the server answers, else why it does not. */
async function untilReady(child: ChildProcess, adminUrl: string): Promise<string | undefined> {
  let failure: string | undefined;
  child.once('error', (error) => (failure = reasonOf(error)));
  child.once('exit', (code, signal) => (failure ??= `it ended with ${signal ?? `code ${code}`}`));
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (failure !== undefined) return failure;
    const reason = await answer(adminUrl);
    if (reason === undefined) return undefined;
    // Wrong password: more patience does not help.
    if (reason === '28P01' || Date.now() > deadline) {
      if (child.pid) await stopServer(child.pid, () => failure !== undefined);
      return reason;
    }
    await sleep(25);
  }
}

async function answer(adminUrl: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {}); // The same failure rejects the call below.
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
    return `The superuser's password does not open the database in ${path}: put the file with its password back, or start with --reset to begin anew.`;
  }
  if (reason.startsWith('could not create any TCP/IP sockets')) {
    return 'PostgreSQL cannot listen on its port, which another program has just taken: stop that one, or choose another port.';
  }
  return `PostgreSQL did not start (${reason}): see ${logFile}.`;
}
