import type { Access } from '@gpu-observatory/domain-types';
import { DAY_MS } from '@gpu-observatory/domain-types';
import { EVERYTHING_OF_CUSTOMER_1 } from '../../support/alert-pagination.ts';
import { bodyOf, errorMessageOf } from '../../support/responses.ts';
import { useFleetService } from '../../support/fleet-service.ts';
import { alertRecord, alertStateRecord } from '../../support/records.ts';

/** Midnight (UTC) of yesterday. All windows are explicit, so that results do not depend on the clock. */
const MIDNIGHT_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
const at = (hours: number) => new Date(MIDNIGHT_MS + hours * 3_600_000).toISOString();

const fleet = useFleetService();

beforeAll(async () => {
  await fleet.import([
    alertRecord(1, { created_at: at(-71), severity: 'low', type: 'gpu_ecc' }),
    alertRecord(2, { created_at: at(-1), severity: 'critical', type: 'gpu_ecc' }),
    alertRecord(3, { created_at: at(-0.75), severity: 'critical', type: 'gpu_dma' }),
    alertRecord(4, { created_at: at(-0.5), severity: 'info', type: 'vm_escape', workspace_id: 11 }),
    alertRecord(5, { created_at: at(0), severity: 'low', type: 'gpu_dma', api_key_id: 7 }),
    alertRecord(6, { created_at: at(-1), customer_id: 2 }),
  ]);
  await fleet.import([alertStateRecord(2, 'ignored')]);
});

const get = (
  path: string,
  query: Record<string, string> = {},
  access: Access | null = EVERYTHING_OF_CUSTOMER_1,
) => fleet.get(`/api/v1/alerts:${path}?${new URLSearchParams(query).toString()}`, access);
const summary = async (query: Record<string, string> = {}, access?: Access) =>
  bodyOf(await get('summary', query, access), 'summarizeAlerts');
const trend = async (query: Record<string, string> = {}, access?: Access) =>
  bodyOf(await get('severityTrend', query, access), 'trendAlerts');

describe('the summary', () => {
  it('sorts severities by rank, other values by frequency, then by name', async () => {
    expect(await summary()).toEqual({
      summary: {
        severity: [
          { value: 'critical', count: 2 },
          { value: 'low', count: 2 },
          { value: 'info', count: 1 },
        ],
        type: [
          { value: 'gpu_dma', count: 2 },
          { value: 'gpu_ecc', count: 2 },
          { value: 'vm_escape', count: 1 },
        ],
        state: [
          { value: 'active', count: 4 },
          { value: 'ignored', count: 1 },
        ],
      },
    });
  });

  it('ignores in each column the filter on that column', async () => {
    const query = { 'filter[severity][equals]': 'critical', 'filter[type][in]': 'gpu_ecc,vm_escape' };
    expect(await summary(query)).toEqual({
      summary: {
        severity: [
          { value: 'critical', count: 1 },
          { value: 'low', count: 1 },
          { value: 'info', count: 1 },
        ],
        type: [
          { value: 'gpu_dma', count: 1 },
          { value: 'gpu_ecc', count: 1 },
        ],
        state: [{ value: 'ignored', count: 1 }],
      },
    });
  });

  it('has three empty columns for an empty scope', async () => {
    const empty = { summary: { severity: [], type: [], state: [] } };
    expect(await summary({}, [])).toEqual(empty);
    expect(await summary({ customer_id: '2' })).toEqual(empty);
    expect(await summary({ from: at(1), to: at(1) })).toEqual(empty);
  });
});

describe('the trend', () => {
  it('uses hours for windows up to and including 72 h, else days', async () => {
    expect(await trend({ from: at(-71), to: at(1) })).toEqual({
      points: [
        { bucket: at(-71), severity: 'low', count: 1 },
        { bucket: at(-1), severity: 'critical', count: 2 },
        { bucket: at(-1), severity: 'info', count: 1 },
        { bucket: at(0), severity: 'low', count: 1 },
      ],
    });
    expect(await trend({ from: at(-71), to: new Date(Date.parse(at(1)) + 1).toISOString() })).toEqual({
      points: [
        { bucket: at(-72), severity: 'low', count: 1 },
        { bucket: at(-24), severity: 'critical', count: 2 },
        { bucket: at(-24), severity: 'info', count: 1 },
        { bucket: at(0), severity: 'low', count: 1 },
      ],
    });
  });

  it('starts an open window with the earliest alert in scope and ends it now', async () => {
    // The only alert of the key is less than 72 h old; the workspace has older ones.
    expect(await trend({ api_key_id: '7' })).toEqual({
      points: [{ bucket: at(0), severity: 'low', count: 1 }],
    });
    expect(await trend({ 'filter[type][equals]': 'vm_escape' })).toEqual({
      points: [{ bucket: at(-24), severity: 'info', count: 1 }],
    });
  });

  it('counts only the part of a bucket within the window', async () => {
    expect(await trend({ from: at(-0.8), to: at(-0.5) })).toEqual({
      points: [{ bucket: at(-1), severity: 'critical', count: 1 }],
    });
  });
});

describe.each([
  ['summary', 'summarizeAlerts'],
  ['severityTrend', 'trendAlerts'],
])('alerts:%s', (path, operation) => {
  it.each(['sort', 'page_size', 'page_token', 'view', 'filter[severity]'])(
    'rejects the unknown parameter %s',
    async (name) => {
      const message = await errorMessageOf(await get(path, { [name]: '1' }), operation, 400, 'invalid_query');
      expect(message).toMatch(
        `${name} is not a parameter of this endpoint; it takes from, to, customer_id, `,
      );
    },
  );

  it('accepts a trailing slash, but no other path', async () => {
    const slashed = await fleet.get(`/api/v1/alerts:${path}/`, EVERYTHING_OF_CUSTOMER_1);
    expect(await bodyOf(slashed, operation)).toEqual(await bodyOf(await get(path), operation));
    for (const other of [`alerts::${path}`, `alerts:${path}x`, `alerts${path}`]) {
      expect((await fleet.get(`/api/v1/${other}`, EVERYTHING_OF_CUSTOMER_1)).status).toBe(404);
    }
  });
});
