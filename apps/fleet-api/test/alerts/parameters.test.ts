import { ALERT_TYPES } from '@gpu-observatory/domain-types';
import { EVERYTHING_OF_CUSTOMER_1, getPage } from '../support/alert-pagination.ts';
import { errorMessageOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord } from '../support/records.ts';

const fleet = useFleetService();

beforeAll(async () => {
  await fleet.import([1, 2, 3].map((n) => alertRecord(n)));
});

const get = (query: [string, string][]) =>
  fleet.get(`/api/v1/alerts/?${new URLSearchParams(query).toString()}`, EVERYTHING_OF_CUSTOMER_1);
const rejection = async (...query: [string, string][]) =>
  errorMessageOf(await get(query), 'listAlerts', 400, 'invalid_query');

const SEVERITY = 'critical, high, medium, low, info';
const SORTS = 'timestamp, -timestamp, severity, -severity, type, -type, state, -state, hostname, -hostname';
const TIME = 'an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z';
const TEXT = 'a text with at least one character';

it.each([
  ['filter[severity][in]', '', `a comma-separated list of ${SEVERITY}`],
  ['filter[severity][in]', 'high,', `a comma-separated list of ${SEVERITY}`],
  ['filter[severity][in]', 'high, low', `a comma-separated list of ${SEVERITY}`],
  ['filter[severity][notIn]', 'urgent', `a comma-separated list of ${SEVERITY}`],
  ['filter[severity][equals]', 'high,low', `one of ${SEVERITY}`],
  ['filter[severity][notEquals]', 'High', `one of ${SEVERITY}`],
  ['filter[state][equals]', '', 'one of active, ignored'],
  ['filter[state][in]', 'active,active,closed', 'a comma-separated list of active, ignored'],
  ['filter[type][equals]', 'toString', `one of ${ALERT_TYPES.join(', ')}`],
  ['filter[type][in]', 'vm_escape;ray_job_rce', `a comma-separated list of ${ALERT_TYPES.join(', ')}`],
  ['filter[hostname][contains]', '', TEXT],
  ['filter[title][notEquals]', '', TEXT],
  ['filter[timestamp][gte]', '2026-11-21', TIME],
  ['filter[timestamp][lte]', '1763712000', TIME],
  ['from', '2026-11-21T08:00:00', TIME],
  ['to', '2026-13-01T00:00:00Z', TIME],
  ['sort', '', `one of ${SORTS}`],
  ['sort', '--severity', `one of ${SORTS}`],
  ['sort', 'created_at', `one of ${SORTS}`],
  ['customer_id', '0', 'an integer of at least 1'],
  ['workspace_id', '-1', 'an integer of at least 1'],
  ['api_key_id', '1.0', 'an integer of at least 1'],
])('rejects %s=%p and reports what is accepted', async (name, value, accepted) => {
  expect(await rejection([name, value])).toBe(
    `${name} must be given once, as ${accepted}, got ${JSON.stringify(value)}.`,
  );
});

it.each([
  ['filter[severity][in]', 'high'],
  ['filter[hostname][equals]', 'a'],
  ['filter[timestamp][gte]', '2026-11-21T08:00:00Z'],
  ['from', '2026-11-21T08:00:00Z'],
  ['sort', 'severity'],
  ['customer_id', '1'],
])('rejects a repeated %s', async (name, value) => {
  const message = await rejection([name, value], [name, value]);
  expect(message).toMatch(`${name} must be given once, as `);
  expect(message).toMatch(`, got ${JSON.stringify([value, value])}.`);
});

it('applies window bounds with fractions of a millisecond', async () => {
  const at = '2026-11-21T08:00:05.000Z';
  const own = { customer_id: 5 };
  await fleet.import([alertRecord(51, { ...own, created_at: at })]);
  const found = async (query: Record<string, string>) => {
    const page = await getPage(fleet, query, [{ ...own, workspace_ids: 'all' }]);
    expect(page.alerts).toHaveLength(page.total_size as number);
    return page.total_size;
  };
  const [just, after] = ['2026-11-21T08:00:05Z', '2026-11-21T08:00:05.0005Z'];
  expect(await found({ from: just })).toBe(1);
  expect(await found({ from: after })).toBe(0);
  expect(await found({ to: just })).toBe(0);
  expect(await found({ to: after })).toBe(1);
  expect(await found({ 'filter[timestamp][gte]': just })).toBe(1);
  expect(await found({ 'filter[timestamp][gte]': after })).toBe(0);
  expect(await found({ 'filter[timestamp][lte]': just })).toBe(1);
  expect(await found({ 'filter[timestamp][lte]': after })).toBe(1);
  expect(await found({ 'filter[timestamp][lte]': '2026-11-21T08:00:04.9995Z' })).toBe(0);
});

it('reports all unknown parameters', async () => {
  expect(await rejection(['limit', '1'], ['order', 'asc'])).toMatch(
    /^limit, order are not parameters of this endpoint; it takes /,
  );
});

it('rejects a window that ends before it starts and accepts an empty one', async () => {
  const [early, late] = ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'];
  expect(await rejection(['from', late], ['to', early])).toBe(
    `from (${late}) must not be later than to (${early}).`,
  );
  expect(await getPage(fleet, { from: early, to: early })).toEqual({ alerts: [], total_size: 0 });
});

it('binds a page token to sort, filters, window and scope in any order', async () => {
  const query = { 'filter[severity][in]': 'high,low', from: '2026-01-01T00:00:00Z', customer_id: '1' };
  const { next_page_token: token = '' } = await getPage(fleet, { ...query, page_size: 1 });
  const again = Object.entries({ ...query, page_token: token, page_size: '1', sort: '-timestamp' });
  expect((await get(again.reverse())).status).toBe(200);
  const others: object[] = [
    { ...query, sort: 'timestamp' },
    { ...query, 'filter[severity][in]': 'high' },
    { ...query, 'filter[title][contains]': 'a' },
    { ...query, from: '2026-01-02T00:00:00Z' },
    { ...query, workspace_id: '10' },
    { from: query.from, customer_id: '1' },
  ];
  for (const other of others) {
    const response = await get(Object.entries({ ...other, page_token: token }));
    expect(await errorMessageOf(response, 'listAlerts', 400, 'invalid_cursor')).toBe(
      'page_token belongs to another query; repeat the sort, filters, window and scope of the first page',
    );
  }
});
