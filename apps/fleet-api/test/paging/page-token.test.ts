import { type SortKey, sortKeySchema } from '../../src/api/alerts/order/alert-sorts.ts';
import { type PageToken, readPageToken, writePageToken } from '../../src/api/paging/page-token.ts';
import { EVERYTHING_OF_CUSTOMER_1, getPage } from '../support/alert-pagination.ts';
import { refusalOf } from '../support/responses.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { alertRecord, uuid } from '../support/records.ts';

const NOT_OURS = 'page_token was not issued by this API; omit it to restart from the first page';
const OTHER_QUERY =
  'page_token belongs to another query; repeat the sort, filters, window and scope of the first page';
const EXPIRED =
  'page_token has expired, a day after the first page was read; omit it to restart from the first page';
/** What the list's tokens are bound to; a token of another binding is foreign to it. */
const QUERY = 'sort=-timestamp';
const byTime = sortKeySchema('timestamp');
const HOUR_MS = 3_600_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

let fleet: FleetService;
let token: string;

beforeAll(async () => {
  fleet = await startFleetService();
  await fleet.import([1, 2, 3].map((n) => alertRecord(n)));
  token = (await getPage(fleet, { page_size: 1 })).next_page_token as string;
});

afterAll(() => fleet.stop());

const refused = async (text: string) =>
  refusalOf(
    await fleet.get(
      `/api/v1/alerts/?page_size=1&page_token=${encodeURIComponent(text)}`,
      EVERYTHING_OF_CUSTOMER_1,
    ),
    'listAlerts',
    400,
    'invalid_cursor',
  );

/** A token as the service would write it, of this content. */
const written = (more: Partial<Record<keyof PageToken<unknown>, unknown>> = {}, query = QUERY) =>
  writePageToken(
    {
      startedAtMs: Date.now(),
      data: { seqs: [[1, 1]], asOfMs: null },
      after: [null, Date.now(), uuid(1)],
      ...more,
    } as PageToken<unknown>,
    query,
  );

describe('a token that is not the one given out', () => {
  it.each(['', 'a', 'null', '0', '%', 'é', 'A'.repeat(9_000), Buffer.from('{}').toString('base64url')])(
    'such as %p is refused',
    async (text) => {
      expect(await refused(text)).toBe(NOT_OURS);
    },
  );

  it('is refused with any one character changed, in whichever way', () => {
    for (let place = 0; place < token.length; place++) {
      const before = ALPHABET.indexOf(token[place] as string);
      for (const step of [1, 32]) {
        const other = ALPHABET[(before + step) % 64] as string;
        const tampered = token.slice(0, place) + other + token.slice(place + 1);
        expect(() => readPageToken(tampered, QUERY, byTime)).toThrow(NOT_OURS);
      }
    }
  });

  it('is refused when it is cut or prolonged, over HTTP too', async () => {
    for (let length = 0; length < token.length; length++) {
      expect(() => readPageToken(token.slice(0, length), QUERY, byTime)).toThrow(NOT_OURS);
    }
    for (const text of [token.slice(0, -1), token.slice(1), `${token}A`, `${token}=`, ` ${token}`]) {
      expect(await refused(text)).toBe(NOT_OURS);
    }
  });

  it('is refused when its checksum holds but its content makes no sense', async () => {
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
      { data: { seqs: null, asOfMs: null } },
      { data: { seqs: [[1, -1]], asOfMs: null } },
      { data: { seqs: [['1', 1]], asOfMs: null } },
      { data: { seqs: [[1, 1e300]], asOfMs: null } },
      { startedAtMs: 'today' },
      { startedAtMs: -1 },
      { data: { seqs: [], asOfMs: 1e20 } },
    ];
    for (const more of nonsense) expect(await refused(written(more))).toBe(NOT_OURS);
  });
});

describe('a token of ours', () => {
  it('that belongs to another query is refused', async () => {
    expect(await refused(written({}, 'sort=timestamp'))).toBe(OTHER_QUERY);
  });

  it('expires a day after the hour that its walk began in, however late its last page came', async () => {
    const startedAtMs = Date.now() - 25 * HOUR_MS;
    expect(await refused(written({ startedAtMs: startedAtMs - 1 }))).toBe(EXPIRED);
    const nearly = written({ startedAtMs: startedAtMs + 60_000 });
    const next = (await getPage(fleet, { page_size: 1, page_token: nearly })).next_page_token as string;
    expect(readPageToken<SortKey>(next, QUERY, byTime).startedAtMs).toBe(startedAtMs + 60_000);
  });

  it('is foreign to who does not see its customers: their walk would end early', async () => {
    await fleet.import([alertRecord(21, { customer_id: 2 })]);
    for (const access of [[{ customer_id: 2, workspace_ids: 'all' as const }], []]) {
      const answer = await fleet.get(`/api/v1/alerts/?page_token=${token}`, access);
      expect(await refusalOf(answer, 'listAlerts', 400, 'invalid_cursor')).toMatch(
        /access to other customers/,
      );
    }
  });

  it('carries no authority: another caller sees only what is theirs', async () => {
    const narrower = await getPage(fleet, { page_token: token }, [{ customer_id: 1, workspace_ids: [99] }]);
    expect(narrower.alerts).toEqual([]);
  });
});
