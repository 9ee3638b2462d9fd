import { query, withClient } from '@gpu-observatory/embedded-database';
import { createLogger, Database, type Statement } from '@gpu-observatory/service-runtime/process';
import { TenantDatabase } from '../../src/api/access/tenant-database.ts';
import type { AlertPage } from '../../src/api/alerts/alert-page.ts';
import { AlertsQueries } from '../../src/api/alerts/alerts.queries.ts';
import { readSelection } from '../../src/api/alerts/filters/alert-selection.ts';
import { readSort } from '../../src/api/alerts/order/alert-sorts.ts';
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
  const queries = new AlertsQueries(new TenantDatabase(database, newReadLimiter()));
  const listing = { selection: readSelection(FILTERS as object), sort: readSort('-timestamp') };
  const pages: AlertPage[] = [];
  const render = (page: AlertPage) => {
    pages.push(page);
    return Buffer.alloc(0);
  };
  await queries.firstPage(EVERYTHING_OF_CUSTOMER_1, listing, 7, render);
  // One to choose the index, one for the page and one for the count.
  expect(statements).toHaveLength(3);
  for (let last = pages.at(-1); last?.hasMore; last = pages.at(-1)) {
    const position = { data: (pages[0] as AlertPage).data, after: last.last };
    if (position.after === null) break;
    await queries.nextPage(
      EVERYTHING_OF_CUSTOMER_1,
      listing,
      7,
      { ...position, after: position.after },
      render,
    );
  }
  await runtime.stop();
  expect(pages.length).toBeGreaterThan(3);
  expect(pages[0]?.total).toBe(pages.reduce((sum, { rows }) => sum + rows, 0));
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
