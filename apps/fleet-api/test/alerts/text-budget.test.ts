import pg from 'pg';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { alertRecord } from '../support/records.ts';

const HELD_MS = 3_800;

let fleet: FleetService;

beforeAll(async () => {
  fleet = await startFleetService();
  await fleet.import([alertRecord(1)]);
});

afterAll(() => fleet.stop());

it('waits longer for texts, which are compared row by row, than for anything else', async () => {
  const client = new pg.Client({ connectionString: fleet.database.ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE fleet.alerts IN ACCESS EXCLUSIVE MODE');
    const released = new Promise((resolve) => setTimeout(resolve, HELD_MS)).then(() =>
      client.query('ROLLBACK'),
    );
    const texts = 'filter[title][contains]=alert';
    const paths = [
      'alerts/',
      `alerts/?${texts}`,
      `alerts:summary?${texts}`,
      `alerts:severityTrend?from=2026-01-01T00:00:00Z&${texts}`,
    ];
    const answers = await Promise.all(
      // Each as another customer: one has its share of slow reads.
      paths.map((path, n) => fleet.get(`/api/v1/${path}`, [{ customer_id: n + 1, workspace_ids: 'all' }])),
    );
    expect(answers.map(({ status }) => status)).toEqual([502, 200, 200, 200]);
    await released;
  } finally {
    await client.end();
  }
});
