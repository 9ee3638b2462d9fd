import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullDiskMessage, openDataDirectory } from '../src/data-directory.ts';
import { ensureSecrets } from '../src/secrets.ts';
import { lockDataDirectory } from '../src/stack-lock.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'data-directory-'))));
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const open = () => openDataDirectory(join(folder, 'data'));

describe('the data directory', () => {
  it('is created with private permissions', () => {
    const { path, logs, rejects } = open();
    // Root's PostgreSQL runs under another account, which must be able to enter.
    expect(statSync(path).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
    for (const each of [logs, rejects]) expect(statSync(each).mode & 0o777).toBe(0o700);
  });

  it('reports in one line that it cannot be created', () => {
    writeFileSync(join(folder, 'data'), 'a file');
    expect(open).toThrow(
      /^The data directory .*\/data cannot be written \(\w+\): make it writable, or choose another one with --data-directory\.$/,
    );
  });
});

describe('the disk', () => {
  it('is full with less free space than PostgreSQL needs', () => {
    const { path } = open();
    const blocks = (bavail: number) => () => ({ bavail, bsize: 4096 });
    expect(fullDiskMessage(path, blocks(8192))).toBeUndefined();
    expect(fullDiskMessage(path, blocks(8191))).toBe(
      `The disk of ${path} is full: free some space, or choose another --data-directory.`,
    );
  });
});

describe('secrets', () => {
  it('are random, persistent and readable by their owner only', () => {
    const first = ensureSecrets(open());
    expect(ensureSecrets(open())).toEqual(first);
    const values = Object.values(first);
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
    expect(statSync(open().secretsFile).mode & 0o777).toBe(0o600);
  });

  it('are completed when some are missing', () => {
    const { secretsFile } = open();
    writeFileSync(secretsFile, JSON.stringify({ superuser_password: 'kept' }));
    const secrets = ensureSecrets(open());
    expect(secrets.superuser_password).toBe('kept');
    expect(JSON.parse(readFileSync(secretsFile, 'utf8'))).toEqual(secrets);
    expect(secrets.website_api_password).toMatch(/^[\w-]{43}$/);
  });

  it('are not generated over an invalid file', () => {
    writeFileSync(open().secretsFile, '{');
    expect(() => ensureSecrets(open())).toThrow(
      /secrets\.json cannot be read \(it is not JSON\): correct it, or/,
    );
  });
});

describe('the lock', () => {
  const url = 'http://localhost:3000';

  it('rejects a second stack until it is released', () => {
    const directory = open();
    const { release, abandoned } = lockDataDirectory(directory, url);
    expect(abandoned).toBe(false);
    expect(() => lockDataDirectory(directory, url)).toThrow(
      /^A stack is already running on .*\/data: http:\/\/localhost:3000, process \d+\./,
    );
    release();
    expect(existsSync(directory.lockFile)).toBe(false);
  });

  it.each([
    ['that has exited', JSON.stringify({ pid: 2 ** 22 + 1, started: 'then', url })],
    ['whose process id was reused', JSON.stringify({ pid: process.pid, started: 'before', url })],
    ['with an invalid lock file', ''],
  ])('is acquired from a holder %s', (_, content) => {
    const directory = open();
    writeFileSync(directory.lockFile, content);
    const { release, abandoned } = lockDataDirectory(directory, url);
    expect(abandoned).toBe(true);
    expect(JSON.parse(readFileSync(directory.lockFile, 'utf8'))).toMatchObject({ pid: process.pid, url });
    release();
  });
});
