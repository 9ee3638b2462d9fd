import type { Access, AlertListItem } from '@gpu-observatory/domain-types';
import { EVERYTHING_OF_CUSTOMER_1 } from '../../support/alert-pagination.ts';
import { useFleetService } from '../../support/fleet-service.ts';
import { alertRecord, alertStateRecord, listItem, minutesAgo } from '../../support/records.ts';
import { bodyOf, errorMessageOf } from '../../support/responses.ts';

interface Page {
  alerts: AlertListItem[];
  next_page_token?: string;
  total_size: number | null;
}

/** Alerts with the text in each of the fields, and one without it. */
const RECORDS = [
  alertRecord(1, { created_at: minutesAgo(5), title: 'XMRig was started', hostname: 'node-1' }),
  alertRecord(2, { created_at: minutesAgo(4), description: 'The process xmrig mines.', severity: 'low' }),
  alertRecord(3, { created_at: minutesAgo(3), hostname: 'xmrig-7', workspace_id: 11 }),
  alertRecord(4, { created_at: minutesAgo(2), title: 'A 100% busy GPU', hostname: 'node-2' }),
];

const fleet = useFleetService();
beforeAll(() => fleet.import([...RECORDS, alertRecord(5, { customer_id: 2, title: 'xmrig' })]));

const get = (query: string, access: Access | null = EVERYTHING_OF_CUSTOMER_1) =>
  fleet.get(`/api/v1/alerts:search${query}`, access);
const search = async (query: string, access?: Access) =>
  bodyOf<Page>(await get(query, access), 'searchAlerts');
const item = (n: number) => listItem(RECORDS[n - 1] as object);

test('finds a text in the hostname, the title or the description, in every case', async () => {
  expect(await search('?q=xMrIg')).toEqual({ alerts: [item(3), item(2), item(1)], total_size: 3 });
  expect(await search('?q=100%25')).toEqual({ alerts: [item(4)], total_size: 1 });
  expect(await search('?q=x_rig')).toEqual({ alerts: [], total_size: 0 });
});

test('combines with filters, scope and sort of the list', async () => {
  expect(await search('?q=xmrig&filter[severity][equals]=low')).toEqual({ alerts: [item(2)], total_size: 1 });
  expect(await search('?q=xmrig&filter[hostname][notContains]=xmrig&sort=timestamp')).toEqual({
    alerts: [item(1), item(2)],
    total_size: 2,
  });
  expect(await search('?q=xmrig&workspace_id=11')).toEqual({ alerts: [item(3)], total_size: 1 });
  expect(await search('?q=xmrig', [{ customer_id: 1, workspace_ids: [11] }])).toMatchObject({
    total_size: 1,
  });
  expect(await search('?q=xmrig', [])).toEqual({ alerts: [], total_size: 0 });
});

test('excludes several hosts and titles', async () => {
  const excluded = await search('?filter[hostname][notIn]=NODE-1,xmrig-7&sort=timestamp');
  expect(excluded.alerts.map(({ id }) => id)).toEqual([item(2).id, item(4).id]);
  expect(await search('?q=xmrig&filter[title][notIn]=xmrig was started,gpu\\, hot')).toMatchObject({
    total_size: 2,
  });
});

test('a comma in an excluded text follows a backslash', async () => {
  await fleet.import([alertRecord(8, { title: 'Hot, and \\ slow', description: 'comma', hostname: null })]);
  const texts: [string, number][] = [
    ['hot,and', 1],
    ['Hot\\, and \\\\ slow', 0],
    ['other,hot\\, and \\\\ slow', 0],
  ];
  for (const [list, total_size] of texts) {
    const query = new URLSearchParams({ q: 'comma', 'filter[title][notIn]': list });
    expect([list, await search(`?${query.toString()}`)]).toMatchObject([list, { total_size }]);
  }
});

test('is the list without q', async () => {
  const list = await fleet.get('/api/v1/alerts/', EVERYTHING_OF_CUSTOMER_1);
  expect(await search('')).toEqual(await bodyOf(list, 'listAlerts'));
});

test('pages show the snapshot of the first page', async () => {
  const first = await search('?q=xmrig&page_size=2');
  expect(first.total_size).toBe(3);
  await fleet.import([alertStateRecord(1, 'ignored'), alertRecord(6, { title: 'xmrig again' })]);
  const second = await search(`?q=xmrig&page_size=2&page_token=${first.next_page_token}`);
  expect(second).toEqual({ alerts: [item(1)], total_size: null });
  for (const query of [`?q=xmri&page_token=${first.next_page_token}`, '?q=xmrig&page_token=x'])
    await errorMessageOf(await get(query), 'searchAlerts', 400, 'invalid_cursor');
});

test.each([
  ['q=', /q must be given once, as a text with at least one character/],
  ['q=a&q=b', /q must be given once/],
  ['sort=color', /sort must be given once, as one of timestamp/],
  ['page_size=10001', /page_size must be given once, as an integer from 1 to 10000/],
  ['filter[hostname][notIn]=a,', /must be given once, as up to 50 texts, separated by commas/],
  [`filter[title][notIn]=${'a,'.repeat(50)}a`, /must be given once, as up to 50 texts, separated by commas/],
  ['query=a', /query is not a parameter of this endpoint; it takes .*\bq\b/],
])('rejects %s', async (query, message) => {
  expect(await errorMessageOf(await get(`?${query}`), 'searchAlerts', 400, 'invalid_query')).toMatch(message);
});

test.each(['q', 'filter[hostname][notIn]', 'filter[title][notIn]'])(
  'only the search accepts %s',
  async (name) => {
    for (const [path, operation] of [
      ['alerts/', 'listAlerts'],
      ['alerts:summary', 'summarizeAlerts'],
      ['alerts:severityTrend', 'trendAlerts'],
    ] as const) {
      const response = await fleet.get(`/api/v1/${path}?${name}=xmrig`, EVERYTHING_OF_CUSTOMER_1);
      const message = await errorMessageOf(response, operation, 400, 'invalid_query');
      expect(message.startsWith(`${name} is not a parameter of this endpoint`)).toBe(true);
    }
  },
);

test('needs a token', async () => {
  await errorMessageOf(await get('?q=x', null), 'searchAlerts', 401, 'unauthorized');
});

test('an unchanged response is 304', async () => {
  const etag = (await get('?q=xmrig')).headers.get('etag') as string;
  const repetition = await fleet.get('/api/v1/alerts:search?q=xmrig', EVERYTHING_OF_CUSTOMER_1, {
    'if-none-match': etag,
  });
  // The entity tag changes every hour.
  const again = await get('?q=xmrig');
  expect([repetition.status, again.headers.get('etag') !== etag]).toContain(
    repetition.status === 304 ? 304 : true,
  );
});
