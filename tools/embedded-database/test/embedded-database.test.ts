import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  removeEmbeddedDatabase,
  startEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  query,
} from '../src/index.ts';
import { describeProcess } from '../src/processes.ts';

const superuserPassword = 'p@ss:word/with?signs';
let directory: string;
let dataDirectory: string;
let port: number;
const running: EmbeddedDatabase[] = [];
const programs: ChildProcess[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'embedded database '));
  chmodSync(directory, 0o711);
  dataDirectory = join(directory, 'data');
  port = await freePort();
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map(kill));
  await Promise.all(running.splice(0).map((database) => database.stop()));
});

afterAll(async () => {
  await removeEmbeddedDatabase(dataDirectory);
  rmSync(directory, { recursive: true });
});

async function start(options: Partial<EmbeddedDatabaseOptions> = {}): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({
    dataDirectory,
    port,
    superuserPassword,
    disposable: true,
    ...options,
  });
  running.push(database);
  return database;
}

/** Starts a server in another process. `pid` is the server's. */
async function startInOtherProcess(): Promise<{ program: ChildProcess; pid: number }> {
  const script = fileURLToPath(new URL('./support/server-program.ts', import.meta.url));
  const program = spawn(process.execPath, [script, dataDirectory, String(port), superuserPassword], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  programs.push(program);
  const [output] = (await once(program.stdout!, 'data')) as [Buffer];
  return { program, pid: Number(output.toString()) };
}

async function kill(program: ChildProcess): Promise<void> {
  if (program.signalCode || !program.kill('SIGKILL')) return;
  await once(program, 'exit');
}

const isRunning = (pid: number) => describeProcess(pid) !== undefined;

test('keeps its data from one start to the next', async () => {
  const first = await start();
  await query(first.adminUrl, 'CREATE TABLE kept AS SELECT 42 AS value');
  await first.stop();
  expect(isRunning(first.pid)).toBe(false);

  const second = await start();
  expect(await query(second.adminUrl, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
});

test('uses UTF-8, code point order, checksums and UTC, and listens on one address without a socket', async () => {
  const { adminUrl } = await start({ disposable: false, settings: { work_mem: '9MB' } });
  const settings = await query(
    adminUrl,
    `SELECT name, setting FROM pg_settings WHERE name IN ('data_checksums', 'fsync', 'server_encoding', 'TimeZone',
       'listen_addresses', 'unix_socket_directories', 'work_mem')`,
  );
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    data_checksums: 'on',
    fsync: 'on',
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    work_mem: '9216',
  });
  expect(await query(adminUrl, `SELECT 'B' < 'a' AS by_code_point, lower('Ä') AS lower`)).toEqual([
    { by_code_point: true, lower: 'ä' },
  ]);
});

test('keeps its files private and does not log the password', async () => {
  const { dataDirectory: path } = await start();
  expect(statSync(join(path, 'cluster')).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, 'server.log')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(path, 'server.log'), 'utf8')).not.toContain(superuserPassword);
});

test('rejects a wrong password on a connection and at the next start', async () => {
  const { adminUrl, stop } = await start();
  const wrong = adminUrl.replace(encodeURIComponent(superuserPassword), 'wrong');
  await expect(query(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
  await stop();
  await expect(start({ superuserPassword: 'wrong' })).rejects.toThrow(
    /^The superuser's password for the database in .* is wrong: restore the file with the password, or start with --reset to delete the data\.$/,
  );
});

test('stops the server of a killed program and keeps its data', async () => {
  const { program, pid } = await startInOtherProcess();
  await kill(program);
  expect(isRunning(pid)).toBe(true);

  const { adminUrl } = await start();
  expect(isRunning(pid)).toBe(false);
  expect(await query(adminUrl, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
});

test('rejects a start while another program uses the data directory', async () => {
  const { program, pid } = await startInOtherProcess();
  await expect(start()).rejects.toThrow(
    `is in use by process ${program.pid}: stop that process first, or choose another data directory.`,
  );
  await expect(removeEmbeddedDatabase(dataDirectory)).rejects.toThrow('is in use');
  expect(isRunning(pid)).toBe(true);
});

test('resolves `exited` when the server is killed, and recovers at the next start', async () => {
  const first = await start({ disposable: false });
  await query(first.adminUrl, 'CREATE TABLE written AS SELECT 7 AS value');
  process.kill(first.pid, 'SIGKILL');
  await first.exited;

  const second = await start();
  expect(await query(second.adminUrl, 'SELECT value FROM written')).toEqual([{ value: 7 }]);
});

test('ignores a lock whose process id was reused by another program', async () => {
  const { dataDirectory: path, stop } = await start();
  const lockFile = join(path, 'cluster', 'postmaster.pid');
  const lock = readFileSync(lockFile, 'utf8');
  await stop();
  const otherProgram = spawn('sleep', ['60'], {
    ...(process.getuid?.() === 0 && userOf(join(path, 'cluster'))),
  });
  programs.push(otherProgram);
  writeFileSync(lockFile, lock.replace(/^\d+/, String(otherProgram.pid)));

  const { adminUrl } = await start();
  expect(await query(adminUrl, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
  expect(isRunning(otherProgram.pid!)).toBe(true);
});

const userOf = (path: string) => ({ uid: statSync(path).uid, gid: statSync(path).gid });

test('reports a port that is in use', async () => {
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  await expect(start()).rejects.toThrow(
    `PostgreSQL cannot listen on 127.0.0.1:${port} (EADDRINUSE): stop the program that uses this port, or choose another port.`,
  );
  other.close();
});

test('reports a data directory that cannot be written', async () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  const below = join(file, 'data');
  await expect(start({ dataDirectory: below })).rejects.toThrow(
    `The data directory ${below} cannot be written (ENOTDIR): make it writable, or choose another one.`,
  );
});

test('reports data of another major version', async () => {
  const old = join(directory, 'old');
  mkdirSync(join(old, 'cluster'), { recursive: true });
  writeFileSync(join(old, 'cluster', 'PG_VERSION'), '15\n');
  await expect(start({ dataDirectory: old })).rejects.toThrow(
    /old contains data of PostgreSQL 15, but this version needs PostgreSQL 18: choose another data directory, or start with --reset to delete the data\.$/,
  );
});

test('is removed completely, even if the server is still running', async () => {
  const { program, pid } = await startInOtherProcess();
  await kill(program);
  const cluster = realpathSync(join(dataDirectory, 'cluster'));
  await removeEmbeddedDatabase(dataDirectory);
  expect(isRunning(pid)).toBe(false);
  expect(existsSync(cluster)).toBe(false);
  expect(readdirSync(dataDirectory)).toEqual([]);
});

// Only root needs another account for the server.
if (process.getuid?.() === 0) {
  describe('as root, in a folder that other users cannot enter', () => {
    let closed: string;

    beforeAll(() => {
      closed = mkdtempSync(join(tmpdir(), 'closed-'));
    });

    afterAll(() => rmSync(closed, { recursive: true }));

    test('stores the data under /var/lib and finds and removes it through a link', async () => {
      const path = join(closed, 'data');
      const first = await start({ dataDirectory: path });
      expect(lstatSync(join(path, 'cluster')).isSymbolicLink()).toBe(true);
      const [row] = await query(first.adminUrl, `SELECT current_setting('data_directory') AS cluster`);
      const cluster = String(row?.['cluster']);
      expect(cluster).toMatch(/^\/var\/lib\/gpu-observatory\/[0-9a-f]{16}$/);
      expect(statSync(cluster).uid).not.toBe(0);
      await query(first.adminUrl, 'CREATE TABLE kept AS SELECT 1 AS value');
      await first.stop();

      const second = await start({ dataDirectory: path });
      expect(await query(second.adminUrl, 'SELECT value FROM kept')).toEqual([{ value: 1 }]);
      await second.stop();

      await removeEmbeddedDatabase(path);
      expect(existsSync(cluster)).toBe(false);
    });

    test('starts with an empty database after the data directory was deleted', async () => {
      const path = join(closed, 'deleted');
      const first = await start({ dataDirectory: path });
      await query(first.adminUrl, 'CREATE TABLE gone AS SELECT 1 AS value');
      await first.stop();
      rmSync(path, { recursive: true });

      const second = await start({ dataDirectory: path, superuserPassword: 'another' });
      expect(await query(second.adminUrl, `SELECT to_regclass('gone') AS found`)).toEqual([{ found: null }]);
      await second.stop();
      await removeEmbeddedDatabase(path);
    });

    test('rejects a link that was copied from another data directory', async () => {
      const original = join(closed, 'original');
      await (await start({ dataDirectory: original })).stop();
      cpSync(original, join(closed, 'copy'), { recursive: true, verbatimSymlinks: true });
      await expect(start({ dataDirectory: join(closed, 'copy') })).rejects.toThrow(
        /the database of another data directory/,
      );
      await removeEmbeddedDatabase(original);
    });
  });
}
