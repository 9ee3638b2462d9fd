import { query, withClient } from '@gpu-observatory/embedded-database';
import { createLogger } from '@gpu-observatory/service-runtime/monitoring';
import { Database, type Statement } from '@gpu-observatory/service-runtime/process';
import { TenantDatabase } from '../../src/api/access/tenant-database.ts';
import { AlertsService } from '../../src/api/alerts/alerts.service.ts';
import { CoalescedDataVersions } from '../../src/api/data-version/coalesced-data-versions.ts';
import { fleetApi } from '../../src/api/fleet-api.ts';
import { EVERYTHING_OF_CUSTOMER_1, getPage } from '../support/alert-pagination.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { newReadLimiter } from '../support/read-limiter.ts';
import { alertRecord, alertStateRecord } from '../support/records.ts';

const ALERTS = 30;
const FILTERS = { 'filter[title][contains]': 'alert', 'filter[state][equals]': 'active' };

const fleet = useFleetService({
  definition: {
    ...fleetApi,
    module: (config, runtime) => fleetApi.module({ ...config, slowReadTimeoutMs: 5_000 }, runtime),
  },
});

beforeAll(async () => {
  await fleet.import(Array.from({ length: ALERTS }, (_unused, n) => alertRecord(n)));
});

it('returns null, without an entity tag, when the time ends before all matches are counted', () =>
  withClient(fleet.database.ownerUrl, async (owner) => {
    const path = `/api/v1/alerts/?page_size=2&${new URLSearchParams(FILTERS).toString()}`;
    const read = async () => {
      const response = await fleet.get(path, EVERYTHING_OF_CUSTOMER_1);
      const { alerts, total_size } = (await response.json()) as {
        alerts: object[];
        total_size: number | null;
      };
      const { status, headers } = response;
      const [etag, cacheControl, asOf] = ['etag', 'cache-control', 'x-data-as-of'].map((name) =>
        headers.get(name),
      );
      return {
        status,
        rows: alerts.length,
        total_size,
        hasTag: etag !== null,
        cacheControl,
        hasTime: asOf !== null,
      };
    };
    // The page needs no past states; the count does.
    await owner.query('BEGIN; LOCK TABLE fleet.alert_past_states IN ACCESS EXCLUSIVE MODE');
    const page = { status: 200, rows: 2, hasTime: true };
    const incomplete = { ...page, total_size: null, hasTag: false, cacheControl: 'private, no-store' };
    expect(await read()).toEqual(incomplete);
    await owner.query('COMMIT');
    expect(await read()).toEqual({
      ...page,
      total_size: ALERTS,
      hasTag: true,
      cacheControl: 'private, no-cache',
    });
  }));

it('counts the alerts that pagination returns, while others are imported and change', async () => {
  const runtime = new Database({
    url: fleet.database.apiUrl,
    poolSize: 2,
    namedStatements: true,
    applicationName: 'text-totals-test',
    logger: createLogger('fleet-api', 'silent'),
  });
  await runtime.start();
  let next = ALERTS;
  const statements: string[] = [];
  const database = {
    query: async <Row extends object>(statement: Statement) => {
      statements.push(statement.text);
      const rows = await runtime.query<Row>(statement);
      next += 1;
      await fleet.import([
        alertRecord(next),
        alertStateRecord(next - ALERTS, next % 2 === 0 ? 'ignored' : 'active'),
        alertStateRecord(next - ALERTS + 1, 'ignored'),
      ]);
      return rows;
    },
  } as Database;
  const versions = new CoalescedDataVersions(database);
  const alerts = new AlertsService(
    new TenantDatabase(database, newReadLimiter(), { slowReadTimeoutMs: 20_000 }),
    versions,
  );
  interface Page {
    alerts: object[];
    next_page_token?: string;
    total_size: number | null;
  }
  const read = async (page: object) => {
    const { body } = await alerts
      .list(EVERYTHING_OF_CUSTOMER_1, { ...FILTERS, page_size: '7', ...page }, { isExport: false })
      .compute();
    return JSON.parse((body as Buffer).toString()) as Page;
  };
  const first = await read({});
  // Three to choose the index, of which one counts without the filter on states; one for the page and one for the count.
  expect(statements).toHaveLength(5);
  const pages = [first];
  for (let token = first.next_page_token; token !== undefined; token = pages.at(-1)?.next_page_token)
    pages.push(await read({ page_token: token }));
  await runtime.stop();
  expect(pages.length).toBeGreaterThan(3);
  expect(first.total_size).toBe(pages.reduce((sum, page) => sum + page.alerts.length, 0));
});

it('counts all matches, however many alerts the other filters select', async () => {
  // As many as the counts claim, to choose how matches are found.
  await query(fleet.database.ownerUrl, 'UPDATE fleet.alert_counts SET n = n * 100000');
  const { total_size } = await getPage(fleet, { 'filter[title][contains]': 'alert', page_size: 2 });
  const [row] = await query<{ n: number }>(
    fleet.database.ownerUrl,
    'SELECT count(*)::integer AS n FROM fleet.alerts WHERE customer_id = 1',
  );
  expect(total_size).toBe(row?.n);
});
