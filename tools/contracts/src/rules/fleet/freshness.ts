import { nameOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { API, someAlerts } from './fleet-words.ts';

const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ATTEMPTS = 5;

/** How a client learns whether there is anything new (decisions, section 2, Freshness). */
export const freshness: Rule<Subject>[] = [
  {
    name: 'data-as-of',
    source: 'decisions 2, Freshness',
    async hold(subject) {
      await someAlerts(subject);
      const reads = subject.plainReads().filter((operation) => operation.secured);
      for (const { path } of reads) {
        const answer = await subject.read(path);
        const asOf = answer.headers['x-data-as-of'] ?? '';
        expectThat(UTC_MILLISECONDS.test(asOf), `${nameOf(answer)} has X-Data-As-Of "${asOf}"`);
      }
      return `on ${reads.length} routes`;
    },
  },
  {
    name: 'unchanged-is-304',
    source: 'decisions 2, Freshness',
    async hold(subject) {
      const [alert] = await someAlerts(subject, 1, 1);
      const paths = [
        '/alerts/?page_size=5',
        '/alerts:summary',
        '/alerts:severityTrend',
        `/alerts/${alert!.id}`,
      ];
      for (const path of paths) await expectNotModified(subject, `${API}${path}`);
      return `${paths.length} routes`;
    },
  },
  {
    name: 'answers-are-private',
    source: 'decisions 2, Freshness',
    async hold(subject) {
      const answer = await subject.read(`${API}/alerts/?page_size=1`);
      expectSame(answer.headers['cache-control'], 'private, no-cache', 'Cache-Control');
      return 'private, no-cache';
    },
  },
];

async function expectNotModified(subject: Subject, path: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = await subject.read(path);
    const { etag } = first.headers;
    expectThat(etag !== undefined, `${nameOf(first)} has no ETag`);
    const second = await subject.read(path, { 'if-none-match': etag });
    if (second.status === 304) {
      expectSame(second.text, '', `the body of ${nameOf(second)}`);
      expectSame(second.headers.etag, etag, 'the ETag of the 304');
      const other = await subject.read(path, { 'if-none-match': '"of-something-else"' });
      expectThat(other.status === 200, `${nameOf(other)} for another ETag`);
      return;
    }
    expectThat(second.headers.etag !== etag, `${nameOf(second)} with the same ETag, where 304 is due`);
  }
  throw new NotSeen('data arrived at each attempt');
}
