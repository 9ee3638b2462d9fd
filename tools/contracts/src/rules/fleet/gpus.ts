import { expectSame, expectSorted, expectThat } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { urgencyOf } from './hosts.ts';
import { API, byCodePoint, expectError, type Gpu, readOk, someGpus } from './requests.ts';

const MAX_PAGE_SIZE = 100_000;

export const gpus: Rule[] = [
  rule('gpus-ordered-by-health', 'docs/fleet-api.md#list-gpus', async (target) => {
    const rows = await someGpus(target, 2);
    const status = await readOk(target, '/gpu-status?page_size=1000');
    const reasons = new Map(status.gpus.map(({ gpu_id, reason }) => [gpu_id, reason]));
    const rankOf = ({ gpu_id, health }: Gpu) => urgencyOf({ health, reason: reasons.get(gpu_id) ?? null });
    const compare = (a: Gpu, b: Gpu) =>
      rankOf(a) - rankOf(b) || byCodePoint(a.hostname, b.hostname) || byCodePoint(a.gpu_id, b.gpu_id);
    expectSorted(rows, compare, 'GPUs by health, hostname and id');
    return `${rows.length} GPUs, critical to healthy`;
  }),
  rule('basic-view-omits-series', 'docs/fleet-api.md#list-gpus', async (target) => {
    await someGpus(target);
    const { gpus: full } = await readOk(target, '/gpus?page_size=50');
    const { gpus: basic } = await readOk(target, '/gpus?page_size=50&view=basic');
    expectThat(full.length > 0 && basic.length > 0, `${full.length} and ${basic.length} rows`);
    for (const row of full)
      expectThat('utilization_series' in row, `${row.gpu_id} lacks utilization_series in the full view`);
    for (const row of basic)
      expectThat(!('utilization_series' in row), `${row.gpu_id} has utilization_series in the basic view`);
    expectSame(
      Object.keys(basic[0]!).sort(),
      Object.keys(full[0]!)
        .filter((name) => name !== 'utilization_series')
        .sort(),
      'fields of the basic view compared with the full view',
    );
    return `${full.length} rows in both views`;
  }),
  rule('gpu-page-size-limits', 'docs/fleet-api.md#list-gpus', async (target) => {
    const some = await someGpus(target, 2);
    const rowsOf = async (size: number) =>
      (await readOk(target, `/gpus?view=basic&page_size=${size}`)).gpus.length;
    expectSame(await rowsOf(1), 1, 'rows with page_size=1');
    const rows = await rowsOf(MAX_PAGE_SIZE);
    expectThat(rows >= some.length, `${rows} rows with page_size=${MAX_PAGE_SIZE}`);
    for (const size of [0, MAX_PAGE_SIZE + 1]) {
      const response = await target.read(`${API}/gpus?view=basic&page_size=${size}`);
      expectError(response, 400, 'invalid_query', `page_size=${size}`);
    }
    return `1 to ${MAX_PAGE_SIZE}, otherwise 400`;
  }),
  rule('gpu-by-id', 'docs/fleet-api.md#get-a-gpu', async (target) => {
    const rows = await someGpus(target);
    const composite = rows.find(({ gpu_id }) => gpu_id.includes('|'));
    // Documents of GPUs with each health differ in their sections.
    const samples = [...Map.groupBy(rows, ({ health }) => health).values()].map(([first]) => first as Gpu);
    for (const { gpu_id, vendor, model } of [...samples, ...(composite ? [composite] : [])]) {
      const { gpu } = await readOk(target, `/gpus/${encodeURIComponent(gpu_id)}`);
      expectSame([gpu.gpu_id, gpu.vendor, gpu.model], [gpu_id, vendor, model], 'gpu_id, vendor and model');
    }
    if (composite && /^[\x21-\x7e]+$/.test(composite.gpu_id) && !/[/?#%]/.test(composite.gpu_id)) {
      const { gpu } = await readOk(target, `/gpus/${composite.gpu_id}`);
      expectSame(gpu.gpu_id, composite.gpu_id, 'gpu_id, raw in the path');
    }
    return composite
      ? 'a UUID and a composite id, encoded and raw'
      : 'a UUID; the deployment has no composite id';
  }),
];
