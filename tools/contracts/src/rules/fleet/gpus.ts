import { expectSame, expectThat, Skipped, type Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { byCodePoint, type Gpu, readOk, someGpus } from './requests.ts';

/** Most urgent first. */
const HEALTH_ORDER = ['critical', 'degraded', 'missing', 'healthy'];
const DETAIL_FIELDS = [
  'gpu_id',
  'health',
  'last_refreshed_at',
  'model',
  'processes',
  'security',
  'security_diagnostics',
  'specs',
  'telemetry',
  'utilization',
  'vendor',
  'xid',
];
const TELEMETRY_FIELDS = [
  'fan_pct',
  'history',
  'memory_total_gb',
  'memory_used_gb',
  'power_draw_w',
  'power_limit_w',
  'temperature_c',
  'utilization_pct',
];

/** Details read for one rule. */
const MAX_DETAILS = 100;

type Section = Record<string, unknown>;

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
      for (const { gpu_id, utilization_series } of full) {
        expectThat(
          Array.isArray(utilization_series) && utilization_series.length <= 48,
          `utilization_series of ${gpu_id} in the full view: ${utilization_series?.length} buckets`,
        );
      }
      for (const row of basic)
        expectThat(!('utilization_series' in row), `${row.gpu_id} has utilization_series in the basic view`);
      const { utilization_series: _series, ...rest } = full[0]!;
      expectSame(
        Object.keys(basic[0]!).sort(),
        Object.keys(rest).sort(),
        'the other fields of the basic view',
      );
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
      for (const { gpu_id } of [rows[0]!, ...(composite ? [composite] : [])]) {
        const { gpu } = await readOk<{ gpu: Section }>(target, `/gpus/${encodeURIComponent(gpu_id)}`);
        expectSame(gpu.gpu_id, gpu_id, 'gpu_id');
      }
      if (composite && /^[\x21-\x7e]+$/.test(composite.gpu_id) && !/[/?#%]/.test(composite.gpu_id)) {
        const { gpu } = await readOk<{ gpu: Section }>(target, `/gpus/${composite.gpu_id}`);
        expectSame(gpu.gpu_id, composite.gpu_id, 'gpu_id, raw in the path');
      }
      return composite
        ? 'a UUID and a composite id, encoded and raw'
        : 'a UUID; the deployment has no composite id';
    },
  },
  {
    name: 'gpu-detail-fields',
    source: 'docs/fleet-api.md#gpu-detail',
    async check(target) {
      const rows = await someGpus(target);
      const samples = HEALTH_ORDER.flatMap((health) => rows.find((row) => row.health === health) ?? []);
      if (samples.length === 0) throw new Skipped('no GPU has a known health');
      for (const { gpu_id, health } of samples) {
        const { gpu } = await readOk<{ gpu: Section }>(target, `/gpus/${encodeURIComponent(gpu_id)}`);
        for (const name of DETAIL_FIELDS) expectThat(name in gpu, `${gpu_id} lacks ${name}`);
        for (const name of TELEMETRY_FIELDS)
          expectThat(name in (gpu.telemetry as Section), `telemetry of ${gpu_id} lacks ${name}`);
        const { alerts_by_severity: counts } = gpu.security as { alerts_by_severity: number[] };
        expectThat(
          counts.length === 4 && counts.every(Number.isInteger),
          `alerts_by_severity of ${gpu_id} is ${JSON.stringify(counts)}`,
        );
        expectThat(
          HEALTH_ORDER.includes(String(gpu.health)),
          `health of ${gpu_id}, listed as ${health}, is ${String(gpu.health)}`,
        );
      }
      return samples.map(({ health }) => health).join(', ');
    },
  },
];

/** Reads which missing GPUs have a critical rule: they are listed after the critical ones. */
async function lostGpus(target: Target, rows: readonly Gpu[]): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const { gpu_id } of rows.filter(({ health }) => health === 'missing').slice(0, MAX_DETAILS)) {
    const { gpu } = await readOk<{ gpu: Section }>(target, `/gpus/${encodeURIComponent(gpu_id)}`);
    const { health } = gpu.security_diagnostics as { health: { reasons: { health: string }[] } };
    if (health.reasons[0]?.health !== 'critical') break;
    lost.add(gpu_id);
  }
  return lost;
}
