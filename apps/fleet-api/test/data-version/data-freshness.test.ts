import type { Access } from '@gpu-observatory/domain-types';
import { type DatabasePair, startDatabasePair } from '../support/database-pair.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importRecords } from '../support/import-records.ts';
import { alertRecord } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: 'all' }];

async function replication({ running }: FleetService): Promise<{ status: number; check: string }> {
  const response = await fetch(`${running.managementUrl}/readyz`);
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  return { status: response.status, check: checks['replication'] as string };
}

async function metric({ running }: FleetService, name: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${running.managementUrl}/metrics`)).text();
  const lines = text.matchAll(
    new RegExp(`^${name}\\{(?:customer_id="(\\d+)",)?service="fleet-api"\\} (\\S+)$`, 'gm'),
  );
  return Object.fromEntries([...lines].map(([, customer = '', value]) => [customer, Number(value)]));
}

async function within(milliseconds: number, attempt: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + milliseconds; ;) {
    const isLast = Date.now() > until;
    try {
      return await attempt();
    } catch (failure) {
      if (isLast) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

describe('on a primary', () => {
  let fleet: FleetService;
  beforeAll(async () => {
    fleet = await startFleetService();
  });
  afterAll(() => fleet.stop());

  it('reports the ingest lag of the 500 customers that imported last', async () => {
    await fleet.import([alertRecord(1), alertRecord(2, { customer_id: 2 })]);
    await rowsOf(
      fleet.database.administratorUrl,
      `INSERT INTO fleet.data_versions (customer_id, seq, imported_at)
       SELECT n, 1, now() - n * interval '1 hour' FROM generate_series(3, 600) AS n`,
    );
    await within(5_000, async () => {
      const lags = await metric(fleet, 'ingest_lag_seconds');
      expect(Object.keys(lags)).toHaveLength(500);
      expect(lags['1']).toBeLessThan(60);
      expect(Math.round((lags['3'] ?? 0) / 3_600)).toBe(3);
      expect(lags['501']).toBeUndefined();
      expect(await metric(fleet, 'ingest_customers')).toEqual({ '': 600 });
    });
  });

  it('reports no replication lag', async () => {
    expect(await replication(fleet)).toEqual({ status: 200, check: 'ok (primary)' });
    expect(await metric(fleet, 'database_standby')).toEqual({ '': 0 });
    expect(await metric(fleet, 'database_replication_lag_seconds')).toEqual({ '': 0 });
  });
});

describe('on a standby', () => {
  let pair: DatabasePair;
  let fleet: FleetService;
  beforeAll(async () => {
    pair = await startDatabasePair();
    fleet = await startFleetService({
      connectVia: async () => pair.standby.apiUrl,
      environment: { STANDBY_LAG_LIMIT_SECONDS: '2' },
    });
  });
  afterAll(async () => {
    await fleet.stop();
    await pair.stop();
  });

  const total = async () =>
    ((await (await fleet.get('/api/v1/alerts/', ACCESS)).json()) as { total_size: number }).total_size;

  it('serves imports of the primary and reports no lag while it is idle', async () => {
    await importRecords(pair.primary.importerUrl, [alertRecord(1)]);
    await within(5_000, async () => expect(await total()).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await replication(fleet)).toEqual({ status: 200, check: 'ok (standby, 0 s behind)' });
    expect(await metric(fleet, 'database_standby')).toEqual({ '': 1 });
    expect(await metric(fleet, 'ingest_customers')).toEqual({ '': 1 });
  });

  it('does not use the age of the last transaction as lag when the primary only sends other WAL', async () => {
    const importedBeforeMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect((await replication(fleet)).check).toBe('ok (standby, 0 s behind)');
    await rowsOf(pair.standby.administratorUrl, 'SELECT pg_wal_replay_pause()');
    await rowsOf(pair.primary.administratorUrl, 'SELECT pg_log_standby_snapshot()');
    await within(30_000, async () => {
      const lag = (await metric(fleet, 'database_replication_lag_seconds'))[''] as number;
      expect(lag).toBeGreaterThan(0);
      // The last check before the pause, at most 2 s earlier, had found it caught up.
      expect(lag).toBeLessThan((performance.now() - importedBeforeMs) / 1_000 - 2);
    });
    await rowsOf(pair.standby.administratorUrl, 'SELECT pg_wal_replay_resume()');
    await within(8_000, async () => expect((await replication(fleet)).status).toBe(200));
  });

  it('is not ready while its lag exceeds the limit, and ready again once it has caught up', async () => {
    await rowsOf(pair.standby.administratorUrl, 'SELECT pg_wal_replay_pause()');
    await importRecords(pair.primary.importerUrl, [alertRecord(2)]);
    await within(8_000, async () => {
      const { status, check } = await replication(fleet);
      expect([status, check]).toEqual([
        503,
        expect.stringMatching(/^standby, [\d.]+ s behind; the limit is 2 s$/),
      ]);
    });
    expect((await metric(fleet, 'database_replication_lag_seconds'))['']).toBeGreaterThan(2);
    await rowsOf(pair.standby.administratorUrl, 'SELECT pg_wal_replay_resume()');
    await within(8_000, async () => {
      expect((await replication(fleet)).status).toBe(200);
      expect(await total()).toBe(2);
    });
  });

  it('measures the lag from the last contact when the primary is gone', async () => {
    await pair.stopPrimary();
    await within(8_000, async () => expect((await replication(fleet)).status).toBe(503));
    expect(await total()).toBe(2);
  });
});
