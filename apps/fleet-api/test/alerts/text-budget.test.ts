import { withClient } from '@gpu-observatory/embedded-database';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord } from '../support/records.ts';

const fleet = useFleetService();

beforeAll(async () => {
  await fleet.import([alertRecord(1)]);
});

it('allows text filters a longer timeout than other queries', () =>
  withClient(fleet.database.ownerUrl, async (client) => {
    await client.query('BEGIN; LOCK TABLE fleet.alerts IN ACCESS EXCLUSIVE MODE');
    const texts = 'filter[title][contains]=alert';
    const paths = [
      'alerts/',
      `alerts/?${texts}`,
      `alerts:summary?${texts}`,
      `alerts:severityTrend?from=2026-01-01T00:00:00Z&${texts}`,
    ];
    // Each as another customer, to stay below the limit of slow reads.
    const [quick, ...slow] = paths.map((path, n) =>
      fleet.get(`/api/v1/${path}`, [{ customer_id: n + 1, workspace_ids: 'all' }]),
    );
    expect((await quick)?.status).toBe(502);
    await client.query('ROLLBACK');
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200]);
  }));
