import { jsonOf, nameOf } from '../../deployment/answer.ts';
import { expectThat, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { API, type AlertPage, expectFailure, query, readOk, UNKNOWN_ID } from './fleet-words.ts';

const LISTS = ['/alerts/', '/alerts:summary', '/alerts:severityTrend', '/gpus'];

const BAD_INTEGERS = ['0', '-1', '1.5', '1e3', '0x10', ' 1', '+1', 'abc', ''];
const BAD_TIMES = [
  '2026-11-21',
  '2026-11-21T00:00:00',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '10000-01-01T00:00:00Z',
  'yesterday',
  '',
];

/** Queries that are `invalid_query` (contract 7.1), by what is wrong with them. */
const badQueries: [why: string, path: string][] = [
  ['unknown filter field', '/alerts/?filter[colour][equals]=red'],
  ['unknown operator', '/alerts/?filter[severity][contains]=high'],
  ['unknown severity', '/alerts/?filter[severity][equals]=urgent'],
  ['unknown member of in', '/alerts/?filter[type][in]=gpu_ecc,nonsense'],
  ['empty in', '/alerts/?filter[severity][in]='],
  ['bad filter timestamp', '/alerts/?filter[timestamp][gte]=monday'],
  ['unknown sort', '/alerts/?sort=colour'],
  ['page size 0', '/alerts/?page_size=0'],
  ['page size 10001', '/alerts/?page_size=10001'],
  ['page size of words', '/alerts/?page_size=many'],
  ['from later than to', `/alerts/?${query({ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' })}`],
  ['sort in the summary', '/alerts:summary?sort=timestamp'],
  ['page_size in the trend', '/alerts:severityTrend?page_size=10'],
  ['unknown view', '/gpus?view=wide'],
  ['GPU page size 0', '/gpus?page_size=0'],
  ['id that is no UUID', '/alerts/not-a-uuid'],
  ['id that is no UUID', '/alerts/not-a-uuid/timeline'],
  ['query on a detail', `/alerts/${UNKNOWN_ID}?view=full`],
  ['query on a timeline', `/alerts/${UNKNOWN_ID}/timeline?page_size=1`],
];

export const refusals: Rule<Subject>[] = [
  {
    name: 'bad-query-refused',
    source: 'contract 4.2, 7.1',
    async hold(subject) {
      for (const [why, path] of badQueries)
        expectFailure(await subject.read(`${API}${path}`), 400, 'invalid_query', why);
      return `${badQueries.length} kinds: 400 invalid_query`;
    },
  },
  {
    name: 'unknown-parameter-refused',
    source: 'contract 4.1',
    async hold(subject) {
      const reads = subject.operations.filter(({ method }) => method === 'GET');
      for (const { path } of reads) {
        const answer = await subject.read(`${path.replace(/\{[^}]+\}/, UNKNOWN_ID)}?no_such_parameter=1`);
        expectFailure(answer, 400, 'invalid_query', 'an unknown parameter');
        expectThat(
          answer.text.includes('no_such_parameter'),
          `the message of ${nameOf(answer)} does not name it: ${answer.text}`,
        );
      }
      return `${reads.length} routes: 400 invalid_query naming it`;
    },
  },
  {
    name: 'scalars-given-once',
    source: 'decisions 1, Query strings',
    async hold(subject) {
      const twice = 'from=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z';
      for (const list of LISTS) {
        for (const parameters of [
          twice,
          'customer_id=1&customer_id=1',
          'customer_id[]=1',
          'customer_id[x]=1',
          'workspace_id=',
        ]) {
          const answer = await subject.read(`${API}${list}?${parameters}`);
          expectFailure(answer, 400, 'invalid_query', parameters);
        }
      }
      return 'repeated, nested and empty: 400';
    },
  },
  {
    name: 'integers-in-plain-digits',
    source: 'contract 8; decisions 1, Integers',
    async hold(subject) {
      for (const list of LISTS) {
        for (const value of BAD_INTEGERS) {
          const answer = await subject.read(`${API}${list}?${query({ workspace_id: value })}`);
          expectFailure(answer, 400, 'invalid_query', `workspace_id "${value}"`);
        }
      }
      const huge = await readOk<AlertPage>(subject, '/alerts/?customer_id=99999999999999999999');
      expectThat(huge.alerts.length === 0 && huge.total_size === 0, 'an id past every id matches something');
      return `${BAD_INTEGERS.length} forms: 400; past 2^31: nothing`;
    },
  },
  {
    name: 'timestamps-are-rfc-3339',
    source: 'contract 4.1; decisions 1',
    async hold(subject) {
      for (const list of LISTS) {
        for (const value of BAD_TIMES) {
          const answer = await subject.read(`${API}${list}?${query({ from: value })}`);
          expectFailure(answer, 400, 'invalid_query', `from "${value}"`);
        }
      }
      for (const value of ['2026-11-01T00:00:00Z', '2026-11-01T05:30:00.123+05:30'])
        await readOk(subject, `/alerts:summary?${query({ from: value })}`);
      return `${BAD_TIMES.length} forms: 400; Z and an offset: 200`;
    },
  },
  {
    name: 'bad-cursor-refused',
    source: 'contract 7.1; decisions 2',
    async hold(subject) {
      for (const token of ['nonsense', '', 'e30', 'A'.repeat(2000)]) {
        const answer = await subject.read(`${API}/alerts/?page_token=${token}`);
        expectFailure(answer, 400, 'invalid_cursor', `page_token "${token.slice(0, 20)}"`);
      }
      const page = await readOk<AlertPage>(subject, '/alerts/?page_size=1');
      const { next_page_token: token } = page;
      if (token === undefined) return 'malformed: 400 (no second page to bend a token of)';
      for (const [why, parameters] of [
        ['with another sort', query({ page_token: token, sort: 'type' })],
        ['with another filter', query({ page_token: token, 'filter[state][equals]': 'ignored' })],
        ['with another scope', query({ page_token: token, customer_id: 1 })],
        ['cut short', query({ page_token: token.slice(0, -3) })],
        [
          'with a letter changed',
          query({ page_token: `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}` }),
        ],
      ] as const)
        expectFailure(await subject.read(`${API}/alerts/?${parameters}`), 400, 'invalid_cursor', why);
      return 'malformed, bent and foreign: 400 invalid_cursor';
    },
  },
  {
    name: 'absent-is-404',
    source: 'contract 7.1; 4.3',
    async hold(subject) {
      for (const path of [
        `/alerts/${UNKNOWN_ID}`,
        `/alerts/${UNKNOWN_ID}/timeline`,
        '/gpus/GPU-no-such',
        '/gpus/00000000:3B:00.0',
      ])
        expectFailure(await subject.read(`${API}${path}`), 404, 'not_found', 'an absent id');
      return 'alerts, timelines, GPUs, a bare PCIe address: 404 not_found';
    },
  },
  {
    name: 'foreign-scope-is-empty',
    source: 'contract 4.1; decisions 2, Access',
    async hold(subject) {
      for (const name of ['customer_id', 'workspace_id', 'api_key_id']) {
        const { alerts, total_size } = await readOk<AlertPage>(subject, `/alerts/?${name}=2147483647`);
        expectThat(alerts.length === 0 && total_size === 0, `${name}=2147483647 shows ${total_size} alerts`);
        const { gpus } = await readOk<{ gpus: unknown[] }>(subject, `/gpus?${name}=2147483647`);
        expectThat(gpus.length === 0, `${name}=2147483647 shows ${gpus.length} GPUs`);
      }
      return 'an empty answer';
    },
  },
  {
    name: 'refusals-are-not-stored',
    source: 'decisions 2, Errors',
    async hold(subject) {
      const answer = await subject.get(`${API}/alerts`);
      expectThat(
        /^bearer/i.test(answer.headers['www-authenticate'] ?? ''),
        `${nameOf(answer)} has no WWW-Authenticate: Bearer (RFC 9110, section 11.6.1)`,
      );
      expectThat(
        answer.headers['cache-control'] === 'no-store',
        `Cache-Control ${answer.headers['cache-control']}`,
      );
      expectThat(jsonOf(answer) !== undefined, 'no JSON');
      return '401 with WWW-Authenticate, no-store';
    },
  },
];
