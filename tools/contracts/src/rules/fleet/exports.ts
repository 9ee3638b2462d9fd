import { type HttpResponse, summaryOf } from '../../deployment/http-exchange.ts';
import { Skipped, expectHeader, expectSame, expectStatus, expectThat } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { withoutNewData } from '../without-new-data.ts';
import { csvCells, parseCsv } from './csv.ts';
import { API, expectError, query, readOk, someAlerts } from './requests.ts';

const JSON_TYPE = 'application/json';
const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const ALERTS = '/alerts/?page_size=2';

/** The name of the rows of a list. */
type Rows = 'alerts' | 'gpus' | 'hosts' | 'incidents' | 'groups';
type Row = Record<string, unknown>;

/** Values of `Accept`, the type of the response, and whether it varies by `Accept`. */
const NEGOTIATED: [accept: string, type: string, varies: boolean][] = [
  ['*/*', JSON_TYPE, false],
  ['text/*', JSON_TYPE, false],
  [CSV, CSV, true],
  [NDJSON, NDJSON, true],
  [`${CSV}, */*`, JSON_TYPE, true],
  [`${CSV}, */*;q=0.9`, CSV, true],
  [`${NDJSON}, ${JSON_TYPE}`, JSON_TYPE, true],
  [`${NDJSON}, ${JSON_TYPE};q=0.9`, NDJSON, true],
  [`${CSV};q=0.001, ${JSON_TYPE};q=0, */*;q=0`, CSV, true],
  [`${CSV};q=0.8, ${NDJSON};q=0.9`, NDJSON, true],
  [`${CSV};q=0`, JSON_TYPE, true],
  [`${CSV};q=1.5`, JSON_TYPE, false],
  [`${CSV};q=0.0001`, JSON_TYPE, false],
];

export const exports: Rule[] = [
  rule('exports-have-the-rows-of-the-page', 'docs/fleet-api.md#exports', async (target) => {
    const [{ title } = { title: '' }] = await someAlerts(target, 1, 1);
    const lists: [path: string, rows: Rows][] = [
      ['/alerts/?page_size=50', 'alerts'],
      [`/alerts:search?${query({ q: title.slice(0, 50), page_size: 50 })}`, 'alerts'],
      ['/gpus?page_size=50', 'gpus'],
      ['/gpus?page_size=50&view=basic', 'gpus'],
      ['/gpu-status?page_size=50', 'gpus'],
      ['/hosts?page_size=50', 'hosts'],
      ['/xid-incidents?page_size=50', 'incidents'],
      ['/xid-incidents?page_size=50&group_by=host', 'groups'],
    ];
    let count = 0;
    for (const [path, name] of lists) count += await expectRowsOfPage(target, path, name);
    return `${count} rows of ${lists.length} lists`;
  }),
  rule('export-has-all-rows', 'docs/fleet-api.md#exports', async (target) => {
    const hosts = await withoutNewData(async () => {
      const readAll = () => readOk(target, '/hosts?sort=name&page_size=1000');
      const before = await readAll();
      if (before.hosts.length < 2 || before.next_page_token !== undefined)
        throw new Skipped('needs 2 to 1,000 hosts');
      const exported = ndjsonRows(await readExport(target, '/hosts?sort=name', NDJSON));
      const after = await readAll();
      if (JSON.stringify(before) !== JSON.stringify(after)) return undefined;
      expectSame(exported, before.hosts, 'rows of an export without page_size');
      return before.hosts;
    });
    return `${hosts.length} hosts`;
  }),
  rule('export-type-by-quality', 'docs/fleet-api.md#exports', async (target) => {
    for (const [accept, type, varies] of NEGOTIATED) {
      const response = await target.read(`${API}${ALERTS}`, { accept });
      expectStatus(response, 200);
      expectHeader(response, 'content-type', `${type}; charset=utf-8`);
      expectSame(variesByAccept(response), varies, `Vary has Accept for Accept: ${accept}`);
    }
    return `${NEGOTIATED.length} values of Accept`;
  }),
  rule('export-types-have-own-etags', 'docs/fleet-api.md#exports', async (target) => {
    const types = [JSON_TYPE, CSV, NDJSON];
    const statusOf = async (accept: string, etag: string) =>
      (await target.read(`${API}${ALERTS}`, { accept, 'if-none-match': etag })).status;
    const etagOf = async (accept: string) => {
      const { etag } = (await target.read(`${API}${ALERTS}`, { accept })).headers;
      expectThat(etag !== undefined, `${accept} has no ETag`);
      return etag;
    };
    await withoutNewData(async () => {
      const etags = new Map<string, string>();
      for (const type of types) etags.set(type, await etagOf(type));
      for (const type of types)
        for (const [other, etag] of etags) {
          const status = await statusOf(type, etag);
          if (type === other && (await etagOf(type)) !== etag) return undefined;
          expectSame(status, type === other ? 304 : 200, `status of ${type} for the ETag of ${other}`);
        }
      return true;
    });
    return `${types.length} types`;
  }),
  rule('export-errors-are-json', 'docs/fleet-api.md#exports', async (target) => {
    target.bearer();
    for (const accept of [CSV, NDJSON]) {
      const read = (path: string) => target.read(`${API}${path}`, { accept });
      expectError(await read('/alerts/?sort=color'), 400, 'invalid_query', 'an unknown sort');
      expectError(await read('/alerts/?page_token=x'), 400, 'invalid_cursor', 'an invalid page token');
      const anonymous = await target.get(`${API}/alerts/`, { accept });
      expectError(anonymous, 401, 'unauthorized', 'a request without a token');
      expectHeader(anonymous, 'content-type', `${JSON_TYPE}; charset=utf-8`);
    }
    return 'with CSV and NDJSON in Accept';
  }),
];

async function expectRowsOfPage(target: Target, path: string, name: Rows): Promise<number> {
  return withoutNewData(async () => {
    const readRows = async () =>
      expectStatus<Record<Rows, Row[]>>(await target.read(`${API}${path}`), 200)[name];
    const rows = await readRows();
    const ndjson = await readExport(target, path, NDJSON);
    const csv = await readExport(target, path, CSV);
    // The health of GPUs also changes with the clock.
    if (JSON.stringify(await readRows()) !== JSON.stringify(rows)) return undefined;
    expectSame(ndjsonRows(ndjson), rows, `rows of ${summaryOf(ndjson)} as NDJSON`);
    const [header = [], ...cells] = parseCsv(csv.text);
    expectThat(header.length > 0, `${summaryOf(csv)} has no header row`);
    expectSame(
      cells,
      rows.map((row) => csvCells(row, header)),
      `cells of ${summaryOf(csv)} as CSV`,
    );
    return rows.length;
  });
}

/** Returns a successful export. */
async function readExport(target: Target, path: string, type: string): Promise<HttpResponse> {
  const response = await target.read(`${API}${path}`, { accept: type });
  expectStatus(response, 200);
  expectHeader(response, 'content-type', `${type}; charset=utf-8`);
  expectThat(variesByAccept(response), `${summaryOf(response)} has Vary "${response.headers['vary']}"`);
  return response;
}

function variesByAccept({ headers }: HttpResponse): boolean {
  return (headers['vary'] ?? '').split(/\s*,\s*/).some((name) => name.toLowerCase() === 'accept');
}

function ndjsonRows({ text, ...response }: HttpResponse): Row[] {
  expectThat(
    text === '' || text.endsWith('\n'),
    `the last line of ${summaryOf({ text, ...response })} is cut off`,
  );
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
}
