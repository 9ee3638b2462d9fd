import { EVERYTHING_OF_CUSTOMER_1, getPage } from '../support/alert-pagination.ts';
import { bodyOf } from '../support/responses.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { alertRecord, minutesAgo } from '../support/records.ts';

const DAY_MS = 86_400_000;
const MIDDAY_YESTERDAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2;

/** An alert whose count is in the same row as every other's: all are of one hour of one day. */
const alertOfTheHour = (n: number, more: object = {}) =>
  alertRecord(n, { created_at: minutesAgo(-n, MIDDAY_YESTERDAY_MS), ...more });

let fleet: FleetService;

beforeEach(async () => {
  fleet = await startFleetService();
  await fleet.import([1, 2, 3].map((n) => alertOfTheHour(n)));
});

afterEach(() => fleet.stop());

const change = (text: string) => rowsOf(fleet.database.administratorUrl, text);
const LISTED = [{ customer_id: 1, workspace_ids: [10] }];

/** The total and the trend's sum, customer-wide and by workspace. */
async function totals(): Promise<number[]> {
  const found: number[] = [];
  for (const access of [EVERYTHING_OF_CUSTOMER_1, LISTED]) {
    found.push((await getPage(fleet, { page_size: 1 }, access)).total_size ?? NaN);
    const trend = await fleet.get('/api/v1/alerts:severityTrend', access);
    const { points } = await bodyOf<{ points: { count: number }[] }>(trend, 'trendAlerts');
    found.push(points.reduce((sum, { count }) => sum + count, 0));
  }
  return found;
}

it('reads totals and trends from the counts without types', async () => {
  expect(await totals()).toEqual([3, 3, 3, 3]);
  await change('UPDATE fleet.alert_counts SET n = 5 WHERE scope_kind IN (3, 4)');
  expect(await totals()).toEqual([5, 5, 5, 5]);
  expect((await getPage(fleet, { 'filter[type][equals]': 'gpu_thermal' })).total_size).toBe(3);
});

it('does without them after an importer that does not keep them, until one that does has run', async () => {
  await change('UPDATE fleet.alert_counts SET n = 5 WHERE scope_kind IN (3, 4)');
  await change('UPDATE fleet.import_positions SET seq = seq + 1');
  expect(await totals()).toEqual([3, 3, 3, 3]);
  await fleet.import([alertOfTheHour(4)]);
  expect(await totals()).toEqual([4, 4, 4, 4]);
  const [kept] = await change(`
    SELECT p.seq = t.seq AS up_to_date,
      (SELECT sum(n) FROM fleet.alert_counts WHERE scope_kind = 3 AND grain = 0)::integer AS alerts
    FROM fleet.import_positions p JOIN fleet.total_positions t USING (customer_id)`);
  expect(kept).toEqual({ up_to_date: true, alerts: 4 });
});

it('keeps them up to imports of anything else, and has none of a customer without imports', async () => {
  await fleet.import([{ kind: 'workspace', customer_id: 1, workspace_id: 10, name: 'Research' }]);
  await change('UPDATE fleet.alert_counts SET n = 5 WHERE scope_kind IN (3, 4)');
  expect(await totals()).toEqual([5, 5, 5, 5]);
  const nobody = [{ customer_id: 9, workspace_ids: 'all' as const }];
  expect((await getPage(fleet, {}, nobody)).total_size).toBe(0);
});

describe('an API key within listed workspaces', () => {
  const ofKey = async () => {
    const { total_size } = await getPage(fleet, { page_size: 1, api_key_id: 7 }, LISTED);
    const summary = await fleet.get('/api/v1/alerts:summary?api_key_id=7', LISTED);
    type Summary = { summary: { type: { count: number }[] } };
    return [total_size, (await bodyOf<Summary>(summary, 'summarizeAlerts')).summary.type[0]?.count];
  };

  it('is read from its counts where all of its alerts are within them, else from the rows', async () => {
    const keyed = { api_key_id: 7 };
    await fleet.import([alertOfTheHour(11, keyed), alertOfTheHour(12, { ...keyed, workspace_id: null })]);
    expect(await ofKey()).toEqual([2, 2]);
    await change('UPDATE fleet.alert_counts SET n = 5 WHERE scope_kind = 2');
    expect((await ofKey())[0]).toBeGreaterThan(2);
    await fleet.import([alertOfTheHour(13, { ...keyed, workspace_id: 11 })]);
    expect(await ofKey()).toEqual([2, 2]);
  });

  it('is read from the rows after an importer that does not know the workspaces of keys', async () => {
    await fleet.import([alertOfTheHour(11, { api_key_id: 7 })]);
    await change('UPDATE fleet.alert_counts SET n = 5 WHERE scope_kind = 2');
    await change('UPDATE fleet.import_positions SET seq = seq + 1');
    await change('DELETE FROM fleet.api_key_workspaces');
    expect(await ofKey()).toEqual([1, 1]);
    await fleet.import([alertOfTheHour(12)]);
    expect(await change('SELECT api_key_id, workspace_id FROM fleet.api_key_workspaces')).toEqual([
      { api_key_id: 7, workspace_id: 10 },
    ]);
  });
});
