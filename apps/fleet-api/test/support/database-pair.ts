import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedDatabase, freePort, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import pg from 'pg';
import { type FleetUrls, prepareFleetDatabase } from './fleet-database.ts';

/** A primary with the fleet schema and a hot standby, each a separate server. */
export interface DatabasePair {
  primary: FleetUrls;
  standby: FleetUrls;
  /** Stops the primary; the standby keeps running. */
  stopPrimary(): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = 'of-a-test-server';
const PRIMARY = { wal_level: 'replica', max_wal_senders: 4, wal_keep_size: '64MB', hot_standby: 'on' };

export async function startDatabasePair(): Promise<DatabasePair> {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-pair-'));
  chmodSync(directory, 0o711);
  const running: EmbeddedDatabase[] = [];
  const server = async (name: string, settings: Record<string, string | number>) => {
    const database = await startEmbeddedDatabase({
      dataDirectory: join(directory, name),
      port: await freePort(),
      superuserPassword: PASSWORD,
      disposable: true,
      settings: { ...PRIMARY, shared_buffers: '32MB', ...settings },
    });
    running.push(database);
    return database;
  };
  const stop = async () => {
    await Promise.all(running.map((database) => database.stop()));
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    return await pairOf(directory, server, stop);
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function pairOf(
  directory: string,
  server: (name: string, settings: Record<string, string | number>) => Promise<EmbeddedDatabase>,
  stop: () => Promise<void>,
): Promise<DatabasePair> {
  const primary = await server('primary', {});
  const urls = await prepareFleetDatabase(primary.adminUrl);
  await copyCluster(primary.adminUrl, join(directory, 'primary'), join(directory, 'standby'));
  const { hostname, port, username } = new URL(primary.adminUrl);
  const standby = await server('standby', {
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${PASSWORD}`,
  });
  const standbyUrls = Object.fromEntries(
    Object.entries(urls).map(([name, text]) => {
      const url = new URL(text as string);
      url.port = new URL(standby.adminUrl).port;
      return [name, url.href];
    }),
  ) as unknown as FleetUrls;
  return {
    primary: urls,
    standby: standbyUrls,
    stopPrimary: () => primary.stop(),
    stop,
  };
}

/** Copies the files of the running server as a base backup, see https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP. */
async function copyCluster(adminUrl: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  mkdirSync(to, { mode: 0o711 });
  const copied = spawnSync('cp', ['-a', join(from, 'cluster'), join(to, 'cluster')]);
  if (copied.status !== 0 && !/vanished|No such file/.test(String(copied.stderr)))
    throw new Error(String(copied.stderr));
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  const cluster = join(to, 'cluster');
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  const { uid, gid } = statSync(cluster);
  for (const [name, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(cluster, name), text);
    chownSync(join(cluster, name), uid, gid);
  }
}
