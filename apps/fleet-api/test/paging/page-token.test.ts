import { HOUR_MS } from '@gpu-observatory/domain-types';
import { SORT_KEYS, type SortKey } from '../../src/api/alerts/order/alert-sorts.ts';
import { type PageToken, parsePageToken, encodePageToken } from '../../src/api/paging/page-token.ts';
import { EVERYTHING_OF_CUSTOMER_1, getPage } from '../support/alert-pagination.ts';
import { errorMessageOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, uuid } from '../support/records.ts';

const NOT_OURS = 'page_token was not issued by this API; omit it to restart from the first page';
const OTHER_QUERY =
  'page_token belongs to another query; repeat the sort, filters, window and scope of the first page';
const EXPIRED =
  'page_token has expired, a day after the first page was read; omit it to restart from the first page';
const FUTURE = 'page_token starts in the future; omit it to restart from the first page';
/** The query that the list's tokens are bound to. */
const QUERY = 'sort=-timestamp';
const byTime = SORT_KEYS.timestamp;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const fleet = useFleetService();
let token: string;

beforeAll(async () => {
  await fleet.import([1, 2, 3].map((n) => alertRecord(n)));
  token = (await getPage(fleet, { page_size: 1 })).next_page_token as string;
});

const rejection = async (text: string) =>
  errorMessageOf(
    await fleet.get(
      `/api/v1/alerts/?page_size=1&page_token=${encodeURIComponent(text)}`,
      EVERYTHING_OF_CUSTOMER_1,
    ),
    'listAlerts',
    400,
    'invalid_cursor',
  );

/** Encodes a token with this content, with a valid checksum. */
const written = (more: Partial<Record<keyof PageToken<unknown>, unknown>> = {}, query = QUERY) =>
  encodePageToken(
    {
      startedHourMs: Date.now(),
      data: { seqs: [[1, 1]], changedAtMs: null },
      after: [null, Date.now(), uuid(1)],
      ...more,
    } as PageToken<unknown>,
    query,
  );

describe('a token that was not issued', () => {
  it.each(['', 'a', 'null', '0', '%', 'é', 'A'.repeat(9_000), Buffer.from('{}').toString('base64url')])(
    'such as %p is rejected',
    async (text) => {
      expect(await rejection(text)).toBe(NOT_OURS);
    },
  );

  it('is rejected with any single character changed', () => {
    for (let index = 0; index < token.length; index++) {
      const before = ALPHABET.indexOf(token[index] as string);
      for (const step of [1, 32]) {
        const other = ALPHABET[(before + step) % 64] as string;
        const tampered = token.slice(0, index) + other + token.slice(index + 1);
        expect(() => parsePageToken(tampered, QUERY, byTime)).toThrow(NOT_OURS);
      }
    }
  });

  it('is rejected when it is truncated or extended, over HTTP too', async () => {
    for (let length = 0; length < token.length; length++) {
      expect(() => parsePageToken(token.slice(0, length), QUERY, byTime)).toThrow(NOT_OURS);
    }
    for (const text of [token.slice(0, -1), token.slice(1), `${token}A`, `${token}=`, ` ${token}`]) {
      expect(await rejection(text)).toBe(NOT_OURS);
    }
  });

  it('is rejected when its checksum is valid but its content is not', async () => {
    const nonsense: Partial<Record<keyof PageToken<unknown>, unknown>>[] = [
      { after: null },
      { after: [] },
      { after: [1, uuid(1)] },
      { after: ['high', 1, uuid(1)] },
      { after: [null, 1e20, uuid(1)] },
      { after: [null, -1, uuid(1)] },
      { after: [null, '1', uuid(1)] },
      { after: [null, 1, 'x'] },
      { after: [null, 1, uuid(1), 2] },
      { data: { seqs: null, changedAtMs: null } },
      { data: { seqs: [[1, -1]], changedAtMs: null } },
      { data: { seqs: [['1', 1]], changedAtMs: null } },
      { data: { seqs: [[1, 1e300]], changedAtMs: null } },
      { startedHourMs: 'today' },
      { startedHourMs: -1 },
      { data: { seqs: [], changedAtMs: 1e20 } },
    ];
    for (const more of nonsense) expect(await rejection(written(more))).toBe(NOT_OURS);
  });
});

describe('an issued token', () => {
  it('is rejected with another query', async () => {
    expect(await rejection(written({}, 'sort=timestamp'))).toBe(OTHER_QUERY);
  });

  it('expires a day after the hour of the first page, not of the last one', async () => {
    const startedHourMs = Date.now() - 25 * HOUR_MS;
    expect(await rejection(written({ startedHourMs: startedHourMs - 1 }))).toBe(EXPIRED);
    const nearly = written({ startedHourMs: startedHourMs + 60_000 });
    const next = (await getPage(fleet, { page_size: 1, page_token: nearly })).next_page_token as string;
    expect(parsePageToken<SortKey>(next, QUERY, byTime).startedHourMs).toBe(startedHourMs + 60_000);
  });

  it('is rejected if it starts in the future by more than the clocks of replicas may differ', async () => {
    const nowMs = Date.now();
    const read = (startedHourMs: number) => parsePageToken(written({ startedHourMs }), QUERY, byTime, nowMs);
    expect(read(nowMs + 600_000).startedHourMs).toBe(nowMs + 600_000);
    expect(() => read(nowMs + 600_001)).toThrow(FUTURE);
    expect(await rejection(written({ startedHourMs: nowMs + HOUR_MS }))).toBe(FUTURE);
  });

  it('is rejected for callers without access to its customers', async () => {
    await fleet.import([alertRecord(21, { customer_id: 2 })]);
    for (const access of [[{ customer_id: 2, workspace_ids: 'all' as const }], []]) {
      const response = await fleet.get(`/api/v1/alerts/?page_token=${token}`, access);
      expect(await errorMessageOf(response, 'listAlerts', 400, 'invalid_cursor')).toMatch(
        /access to other customers/,
      );
    }
  });

  it('grants no access: another caller gets only alerts in their own access', async () => {
    const narrower = await getPage(fleet, { page_token: token }, [{ customer_id: 1, workspace_ids: [99] }]);
    expect(narrower.alerts).toEqual([]);
  });
});
