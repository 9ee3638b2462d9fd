import { expectSame, expectSorted, expectThat } from '../expectations.ts';
import type { Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { API, byCodePoint, expectError, type Gpu, readOk, someGpus } from './requests.ts';

/** Most urgent first. */
const HEALTH_ORDER = ['critical', 'degraded', 'missing', 'healthy'];
/** Details read for one rule. */
const MAX_DETAILS = 100;
const MAX_PAGE_SIZE = 100_000;

interface Detail {
  security_diagnostics: { health: { reasons: { health: string }[] } };
}

export const gpus: Rule[] = [
  {
    name: 'gpus-ordered-by-health',
    source: 'docs/fleet-api.md#list-gpus',
    async check(target) {
      const listed = await someGpus(target, 2);
      const { lost, unread } = await lostGpus(target, listed);
      const rows = listed.filter((row) => !unread.includes(row));
      const urgencyOf = ({ gpu_id, health }: Gpu) =>
        lost.has(gpu_id) ? HEALTH_ORDER.indexOf('critical') + 0.5 : HEALTH_ORDER.indexOf(health);
      const compare = (a: Gpu, b: Gpu) =>
        urgencyOf(a) - urgencyOf(b) || byCodePoint(a.hostname, b.hostname) || byCodePoint(a.gpu_id, b.gpu_id);
      expectSorted(rows, compare, 'GPUs by health, hostname and id');
      return `${rows.length} GPUs, critical to healthy; ${lost.size} missing with a critical rule`;
    },
  },
  {
    name: 'basic-view-omits-series',
    source: 'docs/fleet-api.md#list-gpus',
    async check(target) {
      await someGpus(target);
      const { gpus: full } = await readOk<{ gpus: Gpu[] }>(target, '/gpus?page_size=50');
      const { gpus: basic } = await readOk<{ gpus: Gpu[] }>(target, '/gpus?page_size=50&view=basic');
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
    },
  },
  {
    name: 'gpu-page-size-limits',
    source: 'docs/fleet-api.md#list-gpus',
    async check(target) {
      const some = await someGpus(target, 2);
      const rowsOf = async (size: number) =>
        (await readOk<{ gpus: Gpu[] }>(target, `/gpus?view=basic&page_size=${size}`)).gpus.length;
      expectSame(await rowsOf(1), 1, 'rows with page_size=1');
      const rows = await rowsOf(MAX_PAGE_SIZE);
      expectThat(rows >= some.length, `${rows} rows with page_size=${MAX_PAGE_SIZE}`);
      for (const size of [0, MAX_PAGE_SIZE + 1]) {
        const response = await target.read(`${API}/gpus?view=basic&page_size=${size}`);
        expectError(response, 400, 'invalid_query', `page_size=${size}`);
      }
      return `1 to ${MAX_PAGE_SIZE}, otherwise 400`;
    },
  },
  {
    name: 'gpu-by-id',
    source: 'docs/fleet-api.md#get-a-gpu',
    async check(target) {
      const rows = await someGpus(target);
      const composite = rows.find(({ gpu_id }) => gpu_id.includes('|'));
      // Documents of GPUs with each health differ in their sections.
      const samples = HEALTH_ORDER.flatMap((health) => rows.find((row) => row.health === health) ?? []);
      for (const { gpu_id, vendor, model } of [...samples, ...(composite ? [composite] : [])]) {
        const { gpu } = await readOk<{ gpu: Gpu }>(target, `/gpus/${encodeURIComponent(gpu_id)}`);
        expectSame([gpu.gpu_id, gpu.vendor, gpu.model], [gpu_id, vendor, model], 'gpu_id, vendor and model');
      }
      if (composite && /^[\x21-\x7e]+$/.test(composite.gpu_id) && !/[/?#%]/.test(composite.gpu_id)) {
        const { gpu } = await readOk<{ gpu: Gpu }>(target, `/gpus/${composite.gpu_id}`);
        expectSame(gpu.gpu_id, composite.gpu_id, 'gpu_id, raw in the path');
      }
      return composite
        ? 'a UUID and a composite id, encoded and raw'
        : 'a UUID; the deployment has no composite id';
    },
  },
];

/**
 * Reads which missing GPUs have a critical rule: they are listed after the critical ones.
 *
 * @returns their ids, and the missing GPUs that were not read
 */
async function lostGpus(target: Target, rows: readonly Gpu[]): Promise<{ lost: Set<string>; unread: Gpu[] }> {
  const missing = rows.filter(({ health }) => health === 'missing');
  const lost = new Set<string>();
  for (const { gpu_id } of missing.slice(0, MAX_DETAILS)) {
    const { gpu } = await readOk<{ gpu: Detail }>(target, `/gpus/${encodeURIComponent(gpu_id)}`);
    if (gpu.security_diagnostics.health.reasons.some(({ health }) => health === 'critical')) lost.add(gpu_id);
  }
  return { lost, unread: missing.slice(MAX_DETAILS) };
}
