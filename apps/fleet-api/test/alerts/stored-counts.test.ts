import { type Access, DAY_MS } from '@gpu-observatory/domain-types';
import { getPage } from '../support/alert-pagination.ts';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { alertRecord, minutesAgo } from '../support/records.ts';

const MIDDAY_YESTERDAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2;

// The counts are changed without an import.
const fleet = useFleetService({ environment: { RESPONSE_CACHE_MB: '0' } });

/** Each test has its own customer. */
let customer = 0;
let everything: Access;
let listed: Access;

/** Alerts of one hour of one day: they are counted in the same row. */
const alertOfTheHour = (n: number, more: object = {}) =>
  alertRecord(n, { customer_id: customer, created_at: minutesAgo(-n, MIDDAY_YESTERDAY_MS), ...more });

beforeEach(async () => {
  customer += 1;
  everything = [{ customer_id: customer, workspace_ids: 'all' }];
  listed = [{ customer_id: customer, workspace_ids: [10] }];
  await fleet.import([1, 2, 3].map((n) => alertOfTheHour(n)));
});

/** Changes the stored counts of the kinds of scopes. */
const setCounts = (n: number, scopeKinds: number[]) =>
  rowsOf(
    fleet.database.administratorUrl,
    'UPDATE fleet.alert_counts SET n = $1 WHERE customer_id = $2 AND scope_kind = ANY ($3)',
    [n, customer, scopeKinds],
  );

/** Returns the total and the sum of the trend, for the customer and for a workspace. */
async function totals(): Promise<number[]> {
  const found: number[] = [];
  for (const access of [everything, listed]) {
    found.push((await getPage(fleet, { page_size: 1 }, access)).total_size ?? NaN);
    const trend = await fleet.get('/api/v1/alerts:severityTrend', access);
    const { points } = await bodyOf<{ points: { count: number }[] }>(trend, 'trendAlerts');
    found.push(points.reduce((sum, { count }) => sum + count, 0));
  }
  return found;
}

it('reads totals and trends from the counts over all types', async () => {
  expect(await totals()).toEqual([3, 3, 3, 3]);
  await setCounts(5, [3, 4]);
  expect(await totals()).toEqual([5, 5, 5, 5]);
  expect((await getPage(fleet, { 'filter[type][equals]': 'gpu_thermal' }, everything)).total_size).toBe(3);
});

it.each([
  ['hours', 0],
  ['days', 10 * DAY_MS],
])('counts the alerts of a type by %s for a customer and for a workspace', async (_unit, beforeMs) => {
  const window = {
    from: new Date(MIDDAY_YESTERDAY_MS - beforeMs).toISOString(),
    to: new Date(MIDDAY_YESTERDAY_MS + DAY_MS).toISOString(),
  };
  for (const access of [everything, listed]) {
    const query = new URLSearchParams({ ...window, 'filter[type][equals]': 'gpu_thermal' });
    const trend = await fleet.get(`/api/v1/alerts:severityTrend?${query}`, access);
    const { points } = await bodyOf<{ points: { count: number }[] }>(trend, 'trendAlerts');
    expect(points.map(({ count }) => count)).toEqual([3]);
  }
});

it('reads the summary without filters from the counts over all types and those by type', async () => {
  const sums = async (query: string, access: Access = everything) => {
    const response = await fleet.get(`/api/v1/alerts:summary${query}`, access);
    const { summary } = await bodyOf<{ summary: Record<string, { count: number }[]> }>(
      response,
      'summarizeAlerts',
    );
    return ['severity', 'type', 'state'].map((column) =>
      (summary[column] ?? []).reduce((sum, { count }) => sum + count, 0),
    );
  };
  const [first] = await sums('?filter[state][in]=active,ignored');
  await setCounts(4, [3, 4]);
  await setCounts(6, [5, 7]);
  for (const access of [everything, listed]) {
    const [severities, types, states] = (await sums('', access)) as [number, number, number];
    expect([severities % 4, types % 6, states]).toEqual([0, 0, severities]);
  }
  expect(await sums('?filter[state][in]=active,ignored')).toEqual([first, first, first]);
});

describe('an API key within listed workspaces', () => {
  const ofKey = async () => {
    const { total_size } = await getPage(fleet, { page_size: 1, api_key_id: 7 }, listed);
    const summary = await fleet.get('/api/v1/alerts:summary?api_key_id=7', listed);
    type Summary = { summary: { type: { count: number }[] } };
    return [total_size, (await bodyOf<Summary>(summary, 'summarizeAlerts')).summary.type[0]?.count];
  };

  it('is counted from its counts in these workspaces', async () => {
    const keyed = { api_key_id: 7 };
    await fleet.import([
      alertOfTheHour(11, keyed),
      alertOfTheHour(12, { ...keyed, workspace_id: null }),
      alertOfTheHour(13, { ...keyed, workspace_id: 11 }),
    ]);
    expect(await ofKey()).toEqual([2, 2]);
    await setCounts(5, [2]);
    await setCounts(7, [6]);
    // A row of workspace 10, and one without a workspace.
    expect(await ofKey()).toEqual([14, 10]);
  });
});
