import { summaryOf } from '../../deployment/http-exchange.ts';
import { expectHeader, expectSame, expectThat } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { withoutNewData } from '../without-new-data.ts';
import { API, someAlerts, UTC_MILLISECONDS } from './requests.ts';

export const conditionalRequests: Rule[] = [
  rule('data-as-of', 'docs/fleet-api.md#freshness', async (target) => {
    await someAlerts(target);
    const reads = target.plainReads().filter((operation) => operation.secured);
    for (const { path } of reads) {
      const response = await target.read(path);
      expectHeader(response, 'x-data-as-of', UTC_MILLISECONDS);
    }
    return `on ${reads.length} routes`;
  }),
  rule('unchanged-is-304', 'docs/fleet-api.md#freshness', async (target) => {
    const [alert] = await someAlerts(target, 1, 1);
    const paths = [
      '/alerts/?page_size=5',
      '/alerts:summary',
      '/alerts:severityTrend',
      `/alerts/${alert!.id}`,
      `/alerts/${alert!.id}/timeline`,
      '/gpus?view=basic&page_size=5',
      '/metrics',
    ];
    for (const path of paths) await expectNotModified(target, `${API}${path}`);
    return `${paths.length} routes`;
  }),
  rule('responses-are-private', 'docs/fleet-api.md#freshness', async (target) => {
    const reads = target.plainReads().filter((operation) => operation.secured);
    for (const { path } of reads) {
      const response = await target.read(path);
      expectHeader(response, 'cache-control', 'private, no-cache');
    }
    return `private, no-cache on ${reads.length} routes`;
  }),
];

async function expectNotModified(target: Target, path: string): Promise<void> {
  const { etag, unchanged } = await withoutNewData(async () => {
    const first = await target.read(path);
    const { etag } = first.headers;
    expectThat(etag !== undefined, `${summaryOf(first)} has no ETag`);
    const second = await target.read(path, { 'if-none-match': etag });
    if (second.status === 304) return { etag, unchanged: second };
    expectThat(second.headers.etag !== etag, `expected 304 for an unchanged ETag, got ${summaryOf(second)}`);
    return undefined;
  });
  expectSame(unchanged.text, '', `the body of ${summaryOf(unchanged)}`);
  expectHeader(unchanged, 'etag', etag);
  const other = await target.read(path, { 'if-none-match': '"of-something-else"' });
  expectThat(other.status === 200, `${summaryOf(other)} for another ETag`);
}
