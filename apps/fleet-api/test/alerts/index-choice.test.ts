import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@gpu-observatory/embedded-database';
import { EVERYTHING_OF_CUSTOMER_1, getPage } from '../support/alert-pagination.ts';
import { startFleetService } from '../support/fleet-service.ts';
import { alertRecord, minutesAgo } from '../support/records.ts';

it('reads a sorted or filtered page by the index for it, when the table has no statistics', async () => {
  const fleet = await startFleetService();
  await withClient(fleet.database.ownerUrl, async (owner) => {
    const partitions = await owner.query<{ name: string }>(
      "SELECT inhrelid::regclass AS name FROM pg_inherits WHERE inhparent = 'fleet.alerts'::regclass",
    );
    for (const { name } of partitions.rows)
      await owner.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
    const created_at = minutesAgo(5);
    await fleet.import(
      Array.from({ length: 3_000 }, (_unused, n) => alertRecord(n, { created_at, type: 'cpu_usage' })),
    );
    for (const sort of ['type', '-type', 'severity', '-severity']) {
      const query = { sort, 'filter[state][equals]': 'active', page_size: 10 };
      expect((await getPage(fleet, query, EVERYTHING_OF_CUSTOMER_1)).alerts).toHaveLength(10);
    }
    const pair = {
      'filter[type][equals]': 'cpu_usage',
      'filter[severity][in]': 'high,critical',
      page_size: 10,
    };
    expect((await getPage(fleet, pair, EVERYTHING_OF_CUSTOMER_1)).alerts).toHaveLength(10);
    // A session writes its statistics at the latest when it ends.
    await fleet.running.close();
    const sessions =
      "SELECT FROM pg_stat_activity WHERE usename = 'fleet_api' AND datname = current_database()";
    while ((await owner.query(sessions)).rows.length > 0) await sleep(50);
    const { rows } = await owner.query<{ sort: string; entries: number }>(`
      SELECT substring(indexrelname FROM 'customer_id_([a-z_]+)_created_at') AS sort, sum(idx_tup_read)::integer AS entries
      FROM pg_stat_user_indexes WHERE relname ~ '^alerts_[0-9]' AND idx_tup_read > 0 GROUP BY 1`);
    const entries = Object.fromEntries(rows.map((row) => [row.sort, row.entries]));
    // Eleven of each page.
    expect(entries).toEqual({ type: 22, severity: 22, type_severity: 11 });
  });
  await fleet.stop();
});
