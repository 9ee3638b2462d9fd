/** A GPU with all its samples. */
export interface MeasuredGpu {
  gpu_id: string;
  customer_id: number;
  workspace_id: number;
  hostname: string;
  model: string;
  firstSeenMs: number;
  samples: { atMs: number; utilization_pct: number | null; power_draw_w: number | null }[];
}

interface UsageQuery {
  /** Start of a half hour. */
  fromMs: number;
  toMs: number;
  groupBy: 'workspace' | 'model' | 'host';
  sort: string;
  size: number;
}

interface Usage {
  gpu_count: number;
  busy_gpu_hours: number;
  idle_gpu_hours: number;
  missing_gpu_hours: number;
  unmeasured_gpu_hours: number;
  energy_kwh: number | null;
}

const HALF_HOUR_MS = 1_800_000;

/** Returns the body of `GET /fleet-usage`: docs/fleet-api.md#fleet-usage with plain loops over half hours and samples. */
export function usageOf(gpus: readonly MeasuredGpu[], query: UsageQuery): object {
  const { fromMs, toMs, groupBy, sort, size } = query;
  const counted = gpus.filter(({ firstSeenMs }) => firstSeenMs < toMs);
  const isShared = groupBy === 'model';
  const keyOf = (gpu: MeasuredGpu) =>
    ({ workspace: gpu.workspace_id, model: gpu.model, host: gpu.hostname })[groupBy];
  const field = { workspace: 'workspace_id', model: 'model', host: 'hostname' }[groupBy];
  const groups = [
    ...Map.groupBy(counted, (gpu) => JSON.stringify([isShared || gpu.customer_id, keyOf(gpu)])).values(),
  ].map((ofGroup) => {
    const [first] = ofGroup as [MeasuredGpu];
    const customer = isShared ? {} : { customer_id: first.customer_id };
    return { first, usage: sumOf(ofGroup, fromMs, toMs), key: { ...customer, [field]: keyOf(first) } };
  });
  const valueOf = ({ usage }: { usage: Usage }): number => {
    if (sort === 'name') return 0;
    if (sort === 'gpus') return usage.gpu_count;
    if (sort === 'energy') return usage.energy_kwh ?? -1;
    return usage[`${sort as 'idle' | 'busy' | 'missing'}_gpu_hours`];
  };
  groups.sort((a, b) => {
    const [left, right] = [keyOf(a.first), keyOf(b.first)];
    return (
      valueOf(b) - valueOf(a) ||
      (left === right ? a.first.customer_id - b.first.customer_id : left < right ? -1 : 1)
    );
  });
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    groups: groups.slice(0, size).map(({ key, usage }) => ({ ...key, ...rounded(usage) })),
    total: rounded(sumOf(counted, fromMs, toMs)),
    group_count: groups.length,
  };
}

function sumOf(gpus: readonly MeasuredGpu[], fromMs: number, toMs: number): Usage {
  const sum: Usage = {
    gpu_count: gpus.length,
    busy_gpu_hours: 0,
    idle_gpu_hours: 0,
    missing_gpu_hours: 0,
    unmeasured_gpu_hours: 0,
    energy_kwh: null,
  };
  for (const { samples, firstSeenMs } of gpus) {
    for (let halfHourMs = fromMs; halfHourMs < toMs; halfHourMs += HALF_HOUR_MS) {
      const isWithin = (atMs: number) => atMs >= halfHourMs && atMs < halfHourMs + HALF_HOUR_MS;
      if (halfHourMs + HALF_HOUR_MS <= firstSeenMs) continue;
      const within = samples.filter(({ atMs }) => isWithin(atMs));
      const utilization = meanOf(within.map(({ utilization_pct: pct }) => pct));
      const power = meanOf(within.map(({ power_draw_w: watts }) => watts));
      if (within.length === 0) sum.missing_gpu_hours += 0.5;
      else if (utilization === null) sum.unmeasured_gpu_hours += 0.5;
      else {
        sum.busy_gpu_hours += (utilization / 100) * 0.5;
        sum.idle_gpu_hours += (1 - utilization / 100) * 0.5;
      }
      if (power !== null) sum.energy_kwh = (sum.energy_kwh ?? 0) + (power * 0.5) / 1_000;
    }
  }
  return sum;
}

function meanOf(readings: readonly (number | null)[]): number | null {
  const known = readings.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** With a tolerance of a rounding error: floating-point sums depend on the order of addition. */
function rounded(usage: Usage): object {
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]: [string, number | null]) => [
      name,
      value === null || Number.isInteger(value) ? value : (expect.closeTo(value, 3) as unknown),
    ]),
  );
}
