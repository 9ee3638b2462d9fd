import { type Access, type AlertType, SEVERITIES } from '@gpu-observatory/domain-types';
import { type GpuHealthState, observeSample } from '../../src/model/health/observe-sample.ts';
import { observeXid } from '../../src/model/health/observe-xid.ts';
import { XidCatalog } from '../../src/model/health/xid-catalog.ts';
import type { HealthSignal } from '../../src/model/health/health-signal.ts';
import { ALERT_TYPE_TITLES } from '../../src/api/metrics/alert-type-titles.ts';
import type { AnyRecord } from './random-fleets.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const XIDS = XidCatalog.read();

export interface OracleQuery {
  access: Access;
  from: number;
  to: number;
  customer_id?: number;
  workspace_id?: number;
  api_key_id?: number;
}

interface Owned {
  customer_id: number;
  workspace_id: number | null;
  api_key_id: number | null;
}
/** An observed entity; `described` by a record about it, not only mentioned. */
interface Observation {
  kind: string;
  id: string;
  at: number;
  owner: Owned;
  described: boolean;
}
/** A weighted value of an owner at a time. */
interface Measured {
  key: string;
  at: number;
  owner: Owned;
  value: number;
  weight: number;
}

/**
 * Test oracle for metrics: an independent implementation of docs/fleet-api.md#fleet-metrics with plain loops over records,
 * minute by minute where values are weighted by time. Only the health rules are those of the service; they have their own
 * tests.
 */
export class MetricsOracle {
  private readonly observations: Observation[] = [];
  private readonly measured: Measured[] = [];
  private readonly events: { key: string; at: number; owner: Owned; n: number }[] = [];
  private readonly alerts: { at: number; owner: Owned; type: string; severity: string }[] = [];
  private readonly missingGpus: { owner: Owned; missingFrom: number }[] = [];
  private readonly chains: { owner: Owned; at: number; healthyAt: (from: number, to: number) => boolean }[] =
    [];

  constructor(records: readonly AnyRecord[]) {
    const gpus = records.filter(({ kind }) => kind === 'gpu');
    for (const gpu of gpus) this.gpu(gpu, records);
    const hosts = records.filter(({ kind }) => !kind.startsWith('gpu') && kind !== 'xid_event');
    for (const record of hosts) this.other(record);
  }

  metrics(query: OracleQuery, asOf: number, now: number): unknown {
    const end = Math.min(Math.ceil(query.to / DAY) * DAY, Math.ceil((now + HOUR) / DAY) * DAY);
    const begin = Math.floor(query.from / DAY) * DAY;
    const to = query.from === query.to ? begin : Math.max(begin, end);
    const days = Array.from({ length: (to - begin) / DAY }, (_unused, n) => begin + n * DAY);
    const isVisible = (owner: Owned) => isInScope(query, owner);
    const whole = { from: begin, to };
    const eachDay = days.map((day) => ({ from: day, to: day + DAY }));
    const within = (at: number, span: Span) => at >= span.from && at < span.to;

    const time = this.measured.filter(({ owner }) => isVisible(owner));
    for (const { owner, missingFrom } of this.missingGpus) {
      if (!isVisible(owner) || !within(missingFrom, whole)) continue;
      const until = Math.floor(Math.min(to, asOf) / HOUR) * HOUR;
      for (let at = missingFrom; at < until; at += MINUTE)
        time.push({ key: 'avg_health_score', at, owner, value: 0, weight: MINUTE });
    }
    const mean = (key: string, span: Span) => {
      const own = time.filter((one) => one.key === key && within(one.at, span) && one.weight > 0);
      const weight = own.reduce((sum, one) => sum + one.weight, 0);
      return weight === 0 ? null : own.reduce((sum, one) => sum + one.value * one.weight, 0) / weight;
    };
    const total = (key: string, span: Span) =>
      this.events
        .filter((one) => one.key === key && isVisible(one.owner) && within(one.at, span))
        .reduce((sum, one) => sum + one.n, 0);
    const entities = this.entities();
    const seen = (kind: string, span: Span) =>
      span.from === span.to
        ? 0
        : entities.filter(
            (one) =>
              one.kind === kind && isVisible(one.owner) && one.first < span.to && one.last >= span.from,
          ).length;
    const value = (key: string, span: Span) => {
      if (key === 'total_energy_kwh') return total(key, span) / MILLIJOULES_PER_KWH || null;
      if (key.startsWith('avg_')) return mean(key, span);
      return key.startsWith('total_') ? total(key, span) : seen(key.replace('_count', ''), span);
    };
    const points = (of: (span: Span) => number | null) =>
      eachDay.map((span) => ({ date: labelOf(span.from), value: of(span) }));
    const summary = Object.fromEntries(KEYS.map((key) => [key, value(key, whole)]));
    const charts = KEYS.map((key) => [key, points((span) => value(key, span))] as const).filter(
      ([key, all]) =>
        all.some((point) => point.value !== null && (point.value !== 0 || key.startsWith('avg_'))),
    );
    const alerts = this.alerts.filter(({ at, owner }) => isVisible(owner) && within(at, whole));
    const workspaces = query.api_key_id === undefined ? 'workspace' : 'key_workspace';
    return {
      alerts_by_severity: SEVERITIES.map((label) => {
        const own = alerts.filter(({ severity }) => severity === label);
        const data = points((span) => own.filter(({ at }) => within(at, span)).length);
        return { label, value: own.length, data };
      }),
      top_alert_types: [...Map.groupBy(alerts, ({ type }) => type)]
        .map(([type, own]) => ({ type, count: own.length }))
        .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
        .slice(0, 3)
        .map(({ type, count }) => ({ ...ALERT_TYPE_TITLES[type as AlertType], count })),
      asset_coverage: [
        ['GPUs', 'gpu'],
        ['Hosts', 'host'],
        ['Containers', 'container'],
        ['VMs', 'vm'],
        ['Workspaces', workspaces],
      ].map(([label, kind]) => ({
        label,
        count: seen(kind as string, whole),
        data: points((span) => seen(kind as string, span)),
      })),
      metrics_summary: {
        ...summary,
        active_crash_chains: this.chains.filter(
          ({ owner, at, healthyAt }) => isVisible(owner) && within(at, whole) && !healthyAt(at, asOf),
        ).length,
      },
      metrics_charts: Object.fromEntries(charts),
    };
  }

  private gpu(gpu: AnyRecord, records: readonly AnyRecord[]): void {
    const own = records.filter(
      (one) => one.customer_id === gpu.customer_id && one['gpu_id'] === gpu['gpu_id'],
    );
    const hostname = gpu['hostname'] as string;
    const id = `${gpu['gpu_id'] as string}`;
    const observe = (at: number) => {
      this.observe('gpu', id, at, gpu, true);
      this.observeOwner(hostname, at, gpu);
    };
    observe(timeOf(gpu));
    for (const record of own) {
      if (record.kind === 'gpu_sample') {
        observe(timeOf(record));
        this.readings(record, gpu);
      } else if (record.kind === 'gpu_process') {
        const process = `${hostname}|${String(record['pid'])}|${String(record['started_at'])}`;
        this.observe('process', process, timeOf(record), gpu, false);
        this.observeOwner(hostname, timeOf(record), gpu);
      } else if (record.kind === 'gpu_day') this.gpuDay(record, gpu, observe);
    }
    this.gpuTime(gpu, own);
  }

  private readings(record: AnyRecord, gpu: AnyRecord): void {
    const at = timeOf(record);
    const read = (key: string, value: unknown) => {
      if (typeof value === 'number') this.measured.push({ key, at, owner: gpu, value, weight: 1 });
    };
    read('avg_gpu_utilization', record['utilization_pct']);
    read('avg_gpu_temperature', record['temperature_c']);
    read('avg_gpu_power', record['power_draw_w']);
    read('avg_gpu_fan_speed', record['fan_pct']);
    read('avg_clock_speed', record['sm_clock_mhz']);
    read('avg_memory_clock', record['memory_clock_mhz']);
    for (const field of HARDWARE_MEANS) read(`avg_${field}`, record[field]);
    const [used, all] = [record['memory_used_mib'], record['memory_total_mib']];
    if (typeof used === 'number' && typeof all === 'number' && all > 0)
      read('avg_gpu_memory', (used / all) * 100);
  }

  private gpuDay(record: AnyRecord, gpu: AnyRecord, observe: (at: number) => void): void {
    const at = Date.parse(`${record['day'] as string}T00:00:00Z`);
    const samples = record['samples'] as number[];
    const read = (key: string, value: number, weight: number) =>
      this.measured.push({ key, at, owner: gpu, value, weight });
    samples.forEach((n, i) => {
      if (n === 0) return;
      observe(at + i * 30 * MINUTE);
      const half = (field: string) => (record[field] as (number | null)[])[i];
      read('avg_gpu_utilization', half('utilization_pct') as number, n);
      read('avg_gpu_power', half('power_draw_w') as number, n);
      read('avg_gpu_memory', ((half('memory_used_mib') as number) / 800) * 100, n);
      read('avg_gpu_fan_speed', record['fan_pct'] as number, n);
      read('avg_thermal_slope', record['thermal_slope_c_per_minute'] as number, 3);
      for (const field of HARDWARE_MEANS)
        if (typeof record[field] === 'number') read(`avg_${field}`, record[field], n);
    });
    const hours = (record['health_hours'] as number | undefined) ?? 24;
    if (record['health_score'] !== null)
      read('avg_health_score', record['health_score'] as number, hours * HOUR);
    const count = (key: string, n: unknown) =>
      this.events.push({ key, at, owner: gpu, n: (n as number | null) ?? 0 });
    count('total_ecc_errors', record['ecc_errors']);
    count('total_throttle_events', record['throttle_events']);
    count('total_energy_kwh', record['energy_millijoules']);
  }

  /** Computes what depends on the order of a GPU's samples: health over time, counters, slopes, crash chains. */
  private gpuTime(gpu: AnyRecord, own: readonly AnyRecord[]): void {
    const missingTimeout = Math.max(5 * (gpu['report_interval_seconds'] as number), 300) * 1_000;
    const limits = {
      slowdownTemperatureC: gpu['slowdown_temperature_c'] as number,
      shutdownTemperatureC: gpu['shutdown_temperature_c'] as number,
      reportIntervalSeconds: gpu['report_interval_seconds'] as number,
    };
    let state: GpuHealthState = { state: {}, signals: [] };
    let last:
      { at: number; throttle?: number; single?: number; double?: number; energy?: number } | undefined;
    const spans: { from: number; to: number; signals: HealthSignal[] }[] = [];
    const tiles = new Map<number, [number, number][]>();
    const criticals: number[] = [];
    for (const record of own) {
      const at = timeOf(record);
      if (record.kind === 'xid_event') {
        state = {
          ...state,
          signals: observeXid(XIDS, state.signals, {
            at: record['at'] as string,
            code: record['code'] as number,
          }),
        };
        this.events.push({ key: 'total_xid_errors', at, owner: gpu, n: 1 });
        if ([79, 95].includes(record['code'] as number)) criticals.push(at);
      }
      if (record.kind !== 'gpu_sample' || (last !== undefined && at <= last.at)) continue;
      if (last !== undefined) spans.push({ from: last.at, to: at, signals: state.signals });
      state = observeSample(XIDS, state, { ...record, at: record['at'] as string }, limits).state;
      const [throttle, single, double, energy] = [
        'throttle_reasons',
        'ecc_single_bit_total',
        'ecc_double_bit_total',
        'energy_millijoules_total',
      ].map((name) => record[name] as number | null);
      const increase = (now: number | null | undefined, before: number | undefined) =>
        now == null || before === undefined ? 0 : Math.max(0, now - before);
      const errors = increase(single, last?.single) + increase(double, last?.double);
      this.events.push({ key: 'total_ecc_errors', at, owner: gpu, n: errors });
      this.events.push({ key: 'total_energy_kwh', at, owner: gpu, n: increase(energy, last?.energy) });
      const began = [3, 5, 6, 7].some(
        (bit) =>
          throttle != null &&
          last?.throttle !== undefined &&
          isSet(throttle, bit) &&
          !isSet(last.throttle, bit),
      );
      this.events.push({ key: 'total_throttle_events', at, owner: gpu, n: began ? 1 : 0 });
      const celsius = record['temperature_c'] as number | null;
      const tile = Math.floor(at / (10 * MINUTE)) * 10 * MINUTE;
      if (celsius !== null) tiles.set(tile, [...(tiles.get(tile) ?? []), [at / MINUTE, celsius]]);
      last = {
        at,
        ...known('throttle', throttle ?? last?.throttle),
        ...known('single', single ?? last?.single),
        ...known('double', double ?? last?.double),
        ...known('energy', energy ?? last?.energy),
      };
    }
    for (const { from, to, signals } of spans)
      for (let at = from; at < to; at += MINUTE)
        this.measured.push({
          key: 'avg_health_score',
          at,
          owner: gpu,
          value: { healthy: 100, degraded: 50, critical: 0, missing: 0 }[
            healthAt(at, from + missingTimeout, signals)
          ],
          weight: MINUTE,
        });
    for (const [tile, points] of tiles) {
      const slope = slopeOf(points);
      if (slope !== null)
        this.measured.push({ key: 'avg_thermal_slope', at: tile, owner: gpu, value: slope, weight: 1 });
    }
    if (last !== undefined) this.missingGpus.push({ owner: gpu, missingFrom: last.at + missingTimeout });
    const closes = criticals
      .sort((a, b) => a - b)
      .filter((at, i) => i > 0 && at - criticals[i - 1]! < 3 * MINUTE);
    const chain = closes.at(-1);
    if (chain === undefined) return;
    const missingFrom =
      last === undefined ? Infinity : Math.max(last.at, ...own.flatMap(reportTimesOfDay)) + missingTimeout;
    const lastAt = last?.at ?? chain;
    this.chains.push({
      owner: gpu,
      at: chain,
      healthyAt: (from, to) => {
        for (const span of spans)
          for (let at = Math.max(from, span.from); at < span.to; at += MINUTE)
            if (healthAt(at, span.from + missingTimeout, span.signals) === 'healthy') return true;
        for (let at = Math.max(from, lastAt); at < to; at += MINUTE)
          if (healthAt(at, missingFrom, state.signals) === 'healthy') return true;
        return false;
      },
    });
  }

  private other(record: AnyRecord): void {
    const owner: Owned = record;
    const hostname = record['hostname'] as string;
    const day = record['day'] === undefined ? undefined : Date.parse(`${record['day'] as string}T00:00:00Z`);
    const at = day ?? timeOf(record);
    const observe = (kind: string, id: string) => this.observe(kind, id, at, owner, true);
    switch (record.kind) {
      case 'alert': {
        const alert = { at, owner, type: record['type'] as string, severity: record['severity'] as string };
        this.alerts.push(alert);
        break;
      }
      case 'host_sample':
      case 'host_day':
        for (const [key, field] of HOST_MEANS) {
          const value = record[field];
          const weight = record.kind === 'host_day' ? (record['samples'] as number) : 1;
          if (typeof value === 'number') this.measured.push({ key, at, owner, value, weight });
        }
        if (day !== undefined) this.observeOwner(hostname, day + DAY - 1, owner);
        break;
      case 'host':
        observe('host', hostname);
        break;
      case 'container': {
        const id = record['container_id'] as string;
        observe('container', id);
        if ((record['gpu_ids'] as string[]).length > 0) observe('gpu_container', id);
        if (record['mps'] === true) observe('mps_container', id);
        break;
      }
      case 'vm':
        observe('vm', record['vm_id'] as string);
        break;
      case 'process': {
        const id = `${hostname}|${String(record['pid'])}|${String(record['started_at'])}`;
        observe('process', id);
        if (record['container_id'] !== undefined) observe('container_process', id);
      }
    }
    this.observeOwner(record.kind === 'alert' ? '' : hostname, at, owner);
  }

  private observeOwner(hostname: string, at: number, owner: Owned): void {
    if (hostname !== '') this.observe('host', hostname, at, owner, false);
    const { workspace_id: workspace, api_key_id: key } = owner;
    if (workspace === null) return;
    this.observe('workspace', `${workspace}`, at, { ...owner, api_key_id: null }, false);
    if (key !== null) this.observe('key_workspace', `${workspace} ${key}`, at, owner, false);
  }

  private observe(
    kind: string,
    id: string,
    at: number,
    { customer_id, workspace_id, api_key_id }: Owned,
    described: boolean,
  ) {
    const owner = { customer_id, workspace_id, api_key_id };
    this.observations.push({ kind, id, at, owner, described });
  }

  private entities() {
    const byEntity = Map.groupBy(
      this.observations,
      ({ kind, id, owner }) => `${owner.customer_id} ${kind} ${id}`,
    );
    return [...byEntity.values()].map((all) => {
      const times = all.map(({ at }) => at);
      return {
        kind: all[0]!.kind,
        owner: owningRecordOf(all),
        first: Math.min(...times),
        last: Math.max(...times),
      };
    });
  }
}

interface Span {
  from: number;
  to: number;
}

const MILLIJOULES_PER_KWH = 3.6e9;
const HARDWARE_MEANS = [
  'memory_temperature_c',
  'tensor_active_pct',
  'dram_active_pct',
  'pcie_tx_mb_per_second',
  'pcie_rx_mb_per_second',
];
const HOST_MEANS = [
  ['avg_cpu_load', 'cpu_load_1m'],
  ['avg_cpu_utilization', 'cpu_utilization_pct'],
  ['avg_fork_rate', 'forks_per_second'],
  ['avg_exit_rate', 'exits_per_second'],
] as const;
/** All keys of the summary except crash chains. */
const KEYS = [
  'gpu_count',
  'avg_gpu_utilization',
  'avg_gpu_temperature',
  'avg_gpu_power',
  'avg_gpu_memory',
  'avg_gpu_fan_speed',
  'avg_clock_speed',
  'avg_memory_clock',
  'avg_memory_temperature_c',
  'avg_tensor_active_pct',
  'avg_dram_active_pct',
  'avg_pcie_tx_mb_per_second',
  'avg_pcie_rx_mb_per_second',
  'total_energy_kwh',
  'avg_health_score',
  'avg_thermal_slope',
  'total_ecc_errors',
  'total_xid_errors',
  'total_throttle_events',
  'avg_cpu_load',
  'avg_cpu_utilization',
  'process_count',
  'avg_fork_rate',
  'avg_exit_rate',
  'container_count',
  'gpu_container_count',
  'mps_container_count',
  'container_process_count',
  'vm_count',
];

function isInScope(query: OracleQuery, owner: Owned): boolean {
  const own = (['customer_id', 'workspace_id', 'api_key_id'] as const).every(
    (name) => query[name] === undefined || query[name] === owner[name],
  );
  return (
    own &&
    query.access.some(
      ({ customer_id, workspace_ids }) =>
        customer_id === owner.customer_id &&
        (workspace_ids === 'all' ||
          owner.workspace_id === null ||
          workspace_ids.includes(owner.workspace_id)),
    )
  );
}

/** Returns the owner of the newest record about an entity or, without one, of its earliest observation. */
function owningRecordOf(observations: readonly Observation[]): Owned {
  const described = observations.filter((one) => one.described);
  if (described.length > 0)
    return described.reduce((newest, one) => (one.at > newest.at ? one : newest)).owner;
  const rank = ({ at, owner }: Observation) => [at, owner.workspace_id ?? 0, owner.api_key_id ?? 0];
  return [...observations].sort((a, b) => {
    const [one, other] = [rank(a), rank(b)];
    const differs = one.findIndex((value, i) => value !== other[i]);
    return differs < 0 ? 0 : one[differs]! - other[differs]!;
  })[0]!.owner;
}

/** Returns the half hours in which a `gpu_day` record has samples, which are reports of the GPU too. */
function reportTimesOfDay(record: AnyRecord): number[] {
  if (record.kind !== 'gpu_day') return [];
  const startMs = Date.parse(`${record['day'] as string}T00:00:00Z`);
  return (record['samples'] as number[]).flatMap((n, i) => (n > 0 ? [startMs + i * 30 * MINUTE] : []));
}

function healthAt(at: number, missingFrom: number, signals: readonly HealthSignal[]) {
  if (at >= missingFrom) return 'missing';
  const hasSignal = (health: string) =>
    signals.some((one) => one.health === health && Date.parse(one.since) <= at && at < Date.parse(one.until));
  if (hasSignal('critical')) return 'critical';
  return hasSignal('degraded') ? 'degraded' : 'healthy';
}

/** Returns the slope of the least-squares line; null without one. */
function slopeOf(points: readonly [number, number][]): number | null {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([minute]) => minute)), mean(points.map(([, celsius]) => celsius))];
  const spread = points.reduce((sum, [minute]) => sum + (minute - x) ** 2, 0);
  if (spread === 0) return null;
  return points.reduce((sum, [minute, celsius]) => sum + (minute - x) * (celsius - y), 0) / spread;
}

function isSet(mask: number, bit: number): boolean {
  return Math.floor(mask / 2 ** bit) % 2 === 1;
}

function known<K extends string>(name: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, number>);
}

function timeOf(record: AnyRecord): number {
  return Date.parse((record['at'] ?? record['created_at']) as string);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function labelOf(day: number): string {
  const date = new Date(day);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
}
