import type { Access } from '@gpu-observatory/domain-types';
import { bodyOf, errorMessageOf } from '../../../support/responses.ts';
import { useFleetService } from '../../../support/fleet-service.ts';
import { alertRecord, uuid } from '../../../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: [10] }];
const NOW = new Date();
/** Start of last month, a partition boundary. */
const LAST_MONTH_MS = Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - 1, 1);
const at = (days: number, milliseconds: number) =>
  new Date(LAST_MONTH_MS + days * 86_400_000 + milliseconds).toISOString();
const event = (ts: string, more: object = {}) => ({
  ts,
  pid: 7,
  tid: 8,
  event_type: 'execve',
  event_info: 'a program began',
  ...more,
});
const FIRST = event(at(0, -1), { comm: 'sh' });
const SECOND = event(at(0, 0), {
  comm: '',
  command_line: 'sh -c "x"',
  args: ['-c', ''],
  pwd: '/root',
});
const THIRD = event(at(19, 28_800_001));

const fleet = useFleetService();

beforeAll(async () => {
  const of = (n: number, customer_id: number, one: object) => ({
    kind: 'timeline_event',
    customer_id,
    alert_id: uuid(n),
    ...one,
  });
  await fleet.import([
    alertRecord(1),
    alertRecord(2),
    alertRecord(3, { customer_id: 2 }),
    of(1, 1, THIRD),
    of(1, 1, FIRST),
    of(1, 1, SECOND),
    of(3, 2, FIRST),
  ]);
});

const get = (id: string) => fleet.get(`/api/v1/alerts/${id}/timeline`, ACCESS);

it('lists events oldest first and omits missing fields', async () => {
  const expected = { timeline_events: [FIRST, SECOND, THIRD] };
  const response = await get(uuid(1));
  expect(await bodyOf(response.clone() as Response, 'listTimelineEvents')).toEqual(expected);
  expect(await response.text()).toBe(JSON.stringify(expected));
});

it('is empty for an alert without events', async () => {
  expect(await bodyOf(await get(uuid(2)), 'listTimelineEvents')).toEqual({ timeline_events: [] });
});

it('accepts an upper-case UUID and a trailing slash', async () => {
  const lower = await (await get(uuid(1))).text();
  expect(await (await get(uuid(1).toUpperCase())).text()).toBe(lower);
  const slash = await fleet.get(`/api/v1/alerts/${uuid(1)}/timeline/`, ACCESS);
  expect(await slash.text()).toBe(lower);
});

it('returns the same 404 for foreign and unknown alerts', async () => {
  for (const n of [3, 4]) {
    const message = await errorMessageOf(await get(uuid(n)), 'listTimelineEvents', 404, 'not_found');
    expect(message).toBe(`There is no alert ${uuid(n)}.`);
  }
});

it('rejects malformed ids and parameters', async () => {
  expect(await errorMessageOf(await get('latest'), 'listTimelineEvents', 400, 'invalid_query')).toBe(
    'The alert id must be a UUID, got "latest".',
  );
  const response = await fleet.get(`/api/v1/alerts/${uuid(1)}/timeline?page_size=1`, ACCESS);
  expect(await errorMessageOf(response, 'listTimelineEvents', 400, 'invalid_query')).toBe(
    'page_size is not a parameter of this endpoint; it takes none.',
  );
});
