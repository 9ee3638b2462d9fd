import type { Access } from '@gpu-observatory/domain-types';
import { EVERYTHING_OF_CUSTOMER_1, getPage, paginate } from '../support/alert-pagination.ts';
import { bodyOf, errorMessageOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, listItem, minutesAgo } from '../support/records.ts';

const SAME_TIME = minutesAgo(3);
const RICH = {
  hostname: 'gpu-host-1',
  gpu_model: 'NVIDIA H100',
  gpu_serial: '1654922006536',
  api_key_id: 77,
  workspace_id: 11,
  state: 'ignored',
  description: 'Quotes " and \\, a line\nbreak, and 温度 🌡.',
};
/** Newest first. Alerts 3, 4 and 5 have the same time and are imported in another order. */
const RECORDS = [
  alertRecord(1, RICH),
  alertRecord(2, { workspace_id: null }),
  alertRecord(3, { created_at: SAME_TIME }),
  alertRecord(4, { created_at: SAME_TIME }),
  alertRecord(5, { created_at: SAME_TIME, workspace_id: 12 }),
  alertRecord(6),
];
const NEWEST_FIRST = RECORDS.map(listItem);
const OF_CUSTOMER_2 = [
  alertRecord(101, { customer_id: 2, workspace_id: 20, created_at: minutesAgo(1.5) }),
  alertRecord(102, { customer_id: 2, workspace_id: 21, created_at: minutesAgo(3.5) }),
  alertRecord(103, { customer_id: 2, workspace_id: null, created_at: minutesAgo(5.5) }),
];

const fleet = useFleetService();

beforeAll(async () => {
  await fleet.import([5, 3, 6, 1, 4, 2].map((n) => RECORDS[n - 1] as object));
  await fleet.import(OF_CUSTOMER_2);
});

const get = (query: string, access: Access | null = EVERYTHING_OF_CUSTOMER_1) =>
  fleet.get(`/api/v1/alerts/${query}`, access);
const invalidQuery = async (query: string) =>
  errorMessageOf(await get(query), 'listAlerts', 400, 'invalid_query');
const ids = (alerts: { id: string }[]) => alerts.map(({ id }) => Number.parseInt(id.slice(-12), 16));

describe('the list', () => {
  it('returns every alert, newest first, then by id', async () => {
    expect(await getPage(fleet)).toEqual({ alerts: NEWEST_FIRST, total_size: 6 });
  });

  it.each([
    ['a customer', EVERYTHING_OF_CUSTOMER_1],
    ['listed workspaces', [{ customer_id: 1, workspace_ids: [10, 12] }]],
    ['a caller without alerts', [{ customer_id: 9, workspace_ids: 'all' }]],
  ] satisfies [string, Access][])(
    'of %s is the same without a window and with one that contains all alerts',
    async (_name, access) => {
      for (const page_size of [1, 3, 100]) {
        const { next_page_token: token, ...page } = await getPage(fleet, { page_size }, access);
        const from = '1971-01-01T00:00:00Z';
        const { next_page_token: otherToken, ...other } = await getPage(fleet, { page_size, from }, access);
        expect(page).toEqual(other);
        expect(typeof token).toBe(typeof otherToken);
      }
    },
  );

  it('has exactly the documented fields in their order', async () => {
    const text = await (await get('?page_size=1')).text();
    expect(text).toMatch(
      new RegExp(
        `^${[
          `\\{"alerts":\\[${JSON.stringify(NEWEST_FIRST[0]).replaceAll(/[.*+?^$()|[\]\\{}]/g, '\\$&')}\\]`,
          '"next_page_token":"[A-Za-z0-9_-]+"',
          '"total_size":6\\}',
        ].join(',')}$`,
      ),
    );
  });

  it.each(['/api/v1/alerts', '/api/v1/alerts/'])('is served at %s without a redirect', async (path) => {
    const response = await fleet.get(path, EVERYTHING_OF_CUSTOMER_1);
    expect(response.redirected).toBe(false);
    expect(await bodyOf(response, 'listAlerts')).toEqual({ alerts: NEWEST_FIRST, total_size: 6 });
  });

  it('is empty for an empty access', async () => {
    for (const access of [[], [{ customer_id: 3, workspace_ids: 'all' as const }]]) {
      expect(await getPage(fleet, {}, access)).toEqual({ alerts: [], total_size: 0 });
    }
  });
});

describe('pages', () => {
  it.each([[1], [2], [3], [6], [1, 2, 10_000]])(
    'contain each alert once, with page sizes from %p',
    async (...sizes) => {
      const pages = await paginate(fleet, sizes);
      expect(pages.flatMap((page) => page.alerts)).toEqual(NEWEST_FIRST);
      expect(pages.map((page) => page.total_size)).toEqual([6, ...pages.slice(1).map(() => null)]);
    },
  );

  it('end without a token, even if the last page is full', async () => {
    const pages = await paginate(fleet, [3]);
    expect(pages.map((page) => page.alerts.length)).toEqual([3, 3]);
    expect(pages.map((page) => 'next_page_token' in page)).toEqual([true, false]);
    expect(await getPage(fleet, { page_size: 6 })).not.toHaveProperty('next_page_token');
  });

  it('can be requested again with the same token', async () => {
    const { next_page_token: token } = await getPage(fleet, { page_size: 4 });
    const second = await getPage(fleet, { page_size: 1, page_token: token });
    expect(ids(second.alerts)).toEqual([5]);
    expect(ids((await getPage(fleet, { page_size: 9, page_token: token })).alerts)).toEqual([5, 6]);
  });
});

describe('page sizes', () => {
  const OF_MANY: Access = [{ customer_id: 9, workspace_ids: 'all' }];

  beforeAll(async () => {
    await fleet.import(
      Array.from({ length: 10_001 }, (_unused, n) =>
        alertRecord(n + 1_000, { customer_id: 9, created_at: minutesAgo(n / 100) }),
      ),
    );
  });

  it('default to 1,000 and are at most 10,000', async () => {
    const first = await getPage(fleet, {}, OF_MANY);
    expect([first.alerts.length, first.total_size]).toEqual([1_000, 10_001]);
    const largest = await getPage(fleet, { page_size: 10_000 }, OF_MANY);
    expect([largest.alerts.length, largest.total_size]).toEqual([10_000, 10_001]);
    const last = await getPage(fleet, { page_size: 10_000, page_token: largest.next_page_token }, OF_MANY);
    expect(ids(last.alerts)).toEqual([11_000]);
    expect(last).not.toHaveProperty('next_page_token');
  });

  it.each(['0', '-1', '1.5', '1e3', '0x10', '%2B1', '+1', '01', '10001', '99999999999999999999', '', 'ten'])(
    'reject %p',
    async (size) => {
      expect(await invalidQuery(`?page_size=${size}`)).toBe(
        `page_size must be given once, as an integer from 1 to 10000, got "${decodeURIComponent(size.replace('+', ' '))}".`,
      );
    },
  );

  it.each([
    ['?page_size=1&page_size=1', '["1","1"]'],
    ['?page_size', '""'],
    ['?page_size=1&page_size=', '["1",""]'],
    [`?page_size=${'1'.repeat(200)}`, `"${'1'.repeat(99)}…`],
  ])('reject %p', async (query, got) => {
    expect(await invalidQuery(query)).toBe(
      `page_size must be given once, as an integer from 1 to 10000, got ${got}.`,
    );
  });
});

describe('parameters', () => {
  const KNOWN = [
    'sort, page_size, page_token, customer_id, workspace_id, api_key_id, from, to',
    'filter[severity|type|state][in|notIn|equals|notEquals]',
    'filter[hostname|title|description][contains|notContains|startsWith|endsWith|equals|notEquals]',
    'filter[timestamp][gte|lte]',
  ].join(', ');

  it.each([
    'order',
    'filter',
    'filter[severity]',
    'filter[severity][contains]',
    'filter[severity][IN]',
    'filter[gpu_model][equals]',
    'filter[hostname][in]',
    'filter[timestamp][equals]',
    'filter[severity][in][]',
    'filter.severity.in',
    'page_size[]',
    'Page_Size',
    '__proto__',
    'constructor',
  ])('reject %s and list the accepted ones', async (name) => {
    expect(await invalidQuery(`?${encodeURIComponent(name)}=1`)).toBe(
      `${name} is not a parameter of this endpoint; it takes ${KNOWN}.`,
    );
  });

  it('report all errors at once', async () => {
    expect(await invalidQuery('?page_size=0&page_token=a&page_token=b')).toBe(
      'page_size must be given once, as an integer from 1 to 10000, got "0". page_token must be given once, got ["a","b"].',
    );
  });
});

describe('access', () => {
  const see = async (access: Access, query = {}) => ids((await getPage(fleet, query, access)).alerts);

  it('limits a caller to listed workspaces and alerts without a workspace', async () => {
    expect(await see([{ customer_id: 1, workspace_ids: [10] }])).toEqual([2, 3, 4, 6]);
    expect(await see([{ customer_id: 1, workspace_ids: [] }])).toEqual([2]);
    expect((await getPage(fleet, {}, [{ customer_id: 1, workspace_ids: [11, 12] }])).total_size).toBe(3);
  });

  it('merges customers and workspaces in one order for any page size', async () => {
    const access: Access = [
      { customer_id: 2, workspace_ids: [20, 21] },
      { customer_id: 1, workspace_ids: [12, 10] },
    ];
    const expected = [101, 2, 3, 4, 5, 102, 103, 6];
    for (const size of [1, 2, 3, 8]) {
      const pages = await paginate(fleet, [size], { access });
      expect(ids(pages.flatMap((page) => page.alerts))).toEqual(expected);
      expect(pages[0]?.total_size).toBe(8);
    }
  });

  it('returns a row once for an access with duplicates', async () => {
    const access: Access = [
      { customer_id: 1, workspace_ids: [10, 10] },
      { customer_id: 1, workspace_ids: 'all' },
    ];
    expect(await getPage(fleet, {}, access)).toEqual({ alerts: NEWEST_FIRST, total_size: 6 });
  });

  it('accepts ids above the integer range, which match nothing', async () => {
    const access: Access = [
      { customer_id: 2 ** 31, workspace_ids: 'all' },
      { customer_id: 1, workspace_ids: [2 ** 31, 12] },
    ];
    expect(await see(access)).toEqual([2, 5]);
  });

  it('supports sixty workspaces', async () => {
    const workspaces = Array.from({ length: 60 }, (_unused, n) => n + 300);
    await fleet.import(
      workspaces.flatMap((workspace_id, n) => [
        alertRecord(500 + n, { customer_id: 6, workspace_id, created_at: minutesAgo(n) }),
        alertRecord(600 + n, { customer_id: 6, workspace_id: 7, created_at: minutesAgo(n) }),
      ]),
    );
    const access: Access = [{ customer_id: 6, workspace_ids: workspaces }];
    const pages = await paginate(fleet, [7], { access });
    expect(ids(pages.flatMap((page) => page.alerts))).toEqual(workspaces.map((_unused, n) => 500 + n));
    expect(pages[0]?.total_size).toBe(60);
  });
});
