import { spawnSync } from 'node:child_process';
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@gpu-observatory/embedded-database';

/**
 * Copies the cluster of a running server for a standby, as a
 * [base backup](https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP).
 */
export async function copyCluster(adminUrl: string, from: string, to: string): Promise<void> {
  const cluster = join(to, 'cluster');
  const label = await withClient(adminUrl, async (client) => {
    await client.query("SELECT pg_backup_start('standby', true)");
    const copied = spawnSync('cp', ['-a', join(from, 'cluster'), cluster]);
    if (copied.status !== 0 && !/vanished|No such file/.test(String(copied.stderr)))
      throw new Error(String(copied.stderr));
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    return rows[0]!.labelfile;
  });
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  const { uid, gid } = statSync(cluster);
  for (const [name, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(cluster, name), text);
    chownSync(join(cluster, name), uid, gid);
  }
}
