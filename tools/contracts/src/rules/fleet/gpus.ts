import { expectSame, expectThat, type Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { byCodePoint, type Gpu, readOk, someGpus } from './requests.ts';

/** Most urgent first. */
const HEALTH_ORDER = ['critical', 'degraded', 'missing', 'healthy'];
/** Details read for one rule. */
const MAX_DETAILS = 100;

interface Detail {
  security_diagnostics: { health: { reasons: { health: string }[] } };
}

export const gpus: Rule<Target>[] = [
  {
    name: 'gpus-ordered-by-health',
    source: 'docs/fleet-api.md#list-gpus',
    async check(target) {
      const rows = await someGpus(target);
      const lost = await lostGpus(target, rows);
      const urgencyOf = ({ gpu_id, health }: Gpu) =>
        lost.has(gpu_id) ? HEALTH_ORDER.indexOf('critical') + 0.5 : HEALTH_ORDER.indexOf(health);
      const compare = (a: Gpu, b: Gpu) =>
        urgencyOf(a) - urgencyOf(b) || byCodePoint(a.hostname, b.hostname) || byCodePoint(a.gpu_id, b.gpu_id);
      for (let index = 1; index < rows.length; index += 1) {
        const [a, b] = [rows[index - 1]!, rows[index]!];
        expectThat(
          compare(a, b) <= 0,
          `${a.health} ${a.hostname} ${a.gpu_id} before ${b.health} ${b.hostname} ${b.gpu_id}`,
        );
      }
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
      for (const row of full)
        expectThat('utilization_series' in row, `${row.gpu_id} lacks utilization_series in the full view`);
      for (const row of basic)
        expectThat(!('utilization_series' in row), `${row.gpu_id} has utilization_series in the basic view`);
      return `${full.length} rows in both views`;
    },
  },
  {
    name: 'gpu-page-size-limits',
    source: 'docs/fleet-api.md#list-gpus',
    async check(target) {
      const all = await someGpus(target);
      const { gpus: one } = await readOk<{ gpus: Gpu[] }>(target, '/gpus?view=basic&page_size=1');
      expectSame(one.length, 1, 'rows with page_size=1');
      return `1 of ${all.length}`;
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
      for (const { gpu_id } of [...samples, ...(composite ? [composite] : [])]) {
        const { gpu } = await readOk<{ gpu: Gpu }>(target, `/gpus/${encodeURIComponent(gpu_id)}`);
        expectSame(gpu.gpu_id, gpu_id, 'gpu_id');
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

/** Reads which missing GPUs have a critical rule: they are listed after the critical ones. */
async function lostGpus(target: Target, rows: readonly Gpu[]): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const { gpu_id } of rows.filter(({ health }) => health === 'missing').slice(0, MAX_DETAILS)) {
    const { gpu } = await readOk<{ gpu: Detail }>(target, `/gpus/${encodeURIComponent(gpu_id)}`);
    if (gpu.security_diagnostics.health.reasons[0]?.health !== 'critical') break;
    lost.add(gpu_id);
  }
  return lost;
}
