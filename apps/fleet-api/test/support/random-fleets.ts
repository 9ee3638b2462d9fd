import fc from 'fast-check';
import { ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import { uuid } from './records.ts';

/** A record of the importer, as the oracle reads it. */
export interface AnyRecord {
  kind: string;
  customer_id: number;
  workspace_id: number | null;
  api_key_id: number | null;
  [field: string]: unknown;
}

export const FLEET_DAYS = 4;
const MINUTES = FLEET_DAYS * 1_440;
const HOSTS = ['h-1', 'h-2', 'h-3'];
const GPUS = ['GPU-1', 'GPU-2', 'GPU-3', 'host|pci|guest'];
/** Short intervals, so that slopes, crash chains and health intervals occur. */
const closeMinute = fc.integer({ min: 2_000, max: 2_025 });
const minute = fc.oneof(
  fc.integer({ min: 0, max: MINUTES - 1 }),
  closeMinute,
  // Around midnight.
  fc.integer({ min: 1_430, max: 1_450 }),
);
const reading = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: null, freq: 4 });
const owner = fc.record({
  customer: fc.nat(1),
  workspace_id: fc.constantFrom(1, 2, 3, null),
  api_key_id: fc.constantFrom(71, 72, null),
});

const sample = fc.record({
  minute,
  gpu: fc.nat(GPUS.length - 1),
  late: fc.nat(9).map((n) => n === 0),
  utilization_pct: reading(0, 100),
  memory_used_mib: reading(0, 800),
  memory_total_mib: fc.constantFrom(null, 800, 1_000),
  temperature_c: reading(60, 90),
  power_draw_w: reading(0, 700),
  fan_pct: reading(0, 100),
  sm_clock_mhz: reading(0, 2_000),
  memory_clock_mhz: reading(0, 3_000),
  throttle_reasons: fc.constantFrom(null, 0, 1, 4, 8, 0x20, 0x28),
  ecc_single_bit_total: reading(0, 9),
  ecc_double_bit_total: fc.constantFrom(null, 0, 0, 0, 1),
  memory_temperature_c: reading(30, 100),
  tensor_active_pct: reading(0, 100),
  dram_active_pct: reading(0, 100),
  pcie_tx_mb_per_second: reading(0, 64_000),
  pcie_rx_mb_per_second: reading(0, 64_000),
  energy_millijoules_total: fc.option(
    fc.integer({ min: 0, max: 900 }).map((wattHours) => wattHours * 3_600_000),
    { nil: null, freq: 4 },
  ),
});
const hostReadings = {
  cpu_load_1m: reading(0, 90),
  cpu_utilization_pct: reading(0, 100),
  forks_per_second: reading(0, 9),
  exits_per_second: reading(0, 9),
};
const onHost = { owner, hostname: fc.constantFrom(...HOSTS) };

const fleet = fc.record({
  gpus: fc.tuple(
    ...GPUS.map(() =>
      fc.record({
        owner: owner.map((one) => ({ ...one, workspace_id: one.workspace_id ?? 1 })),
        minute: fc.integer({ min: 0, max: 3_000 }),
        hostname: fc.constantFrom(...HOSTS, ''),
        report_interval_seconds: fc.constantFrom(60, 600),
      }),
    ),
  ),
  samples: fc.uniqueArray(sample, {
    size: 'max',
    maxLength: 90,
    selector: (one) => `${one.gpu} ${one.minute}`,
  }),
  xids: fc.uniqueArray(
    fc.record({ minute: closeMinute, gpu: fc.nat(3), code: fc.constantFrom(31, 63, 79, 95) }),
    {
      size: 'max',
      maxLength: 8,
      selector: (one) => `${one.gpu} ${one.minute} ${one.code}`,
    },
  ),
  gpuDays: fc.uniqueArray(
    fc.record({
      gpu: fc.nat(3),
      day: fc.nat(FLEET_DAYS - 1),
      first: fc.nat(47),
      length: fc.integer({ min: 0, max: 48 }),
      mean: fc.integer({ min: 0, max: 80 }),
      health_score: fc.constantFrom(null, 100, 62.5),
      ecc_errors: fc.constantFrom(null, 3),
    }),
    { size: 'max', maxLength: 5, selector: (one) => `${one.gpu} ${one.day}` },
  ),
  hostSamples: fc.uniqueArray(fc.record({ minute, ...onHost, ...hostReadings }), {
    size: 'max',
    maxLength: 20,
    selector: (one) => `${one.owner.customer} ${one.hostname} ${one.minute}`,
  }),
  hostDays: fc.uniqueArray(
    fc.record({
      ...onHost,
      day: fc.nat(FLEET_DAYS - 1),
      samples: fc.integer({ min: 1, max: 99 }),
      ...hostReadings,
    }),
    { size: 'max', maxLength: 3, selector: (one) => `${one.owner.customer} ${one.hostname} ${one.day}` },
  ),
  hosts: fc.uniqueArray(fc.record({ minute, ...onHost }), {
    size: 'max',
    maxLength: 3,
    selector: (one) => `${one.owner.customer} ${one.hostname} ${one.minute}`,
  }),
  containers: fc.uniqueArray(
    fc.record({
      minute,
      ...onHost,
      id: fc.nat(4),
      gpu_ids: fc.constantFrom([], ['GPU-1']),
      mps: fc.boolean(),
    }),
    { size: 'max', maxLength: 12, selector: (one) => `${one.owner.customer} ${one.id} ${one.minute}` },
  ),
  vms: fc.uniqueArray(fc.record({ minute, ...onHost, id: fc.nat(2) }), {
    size: 'max',
    maxLength: 5,
    selector: (one) => `${one.owner.customer} ${one.id} ${one.minute}`,
  }),
  processes: fc.uniqueArray(fc.record({ minute, ...onHost, pid: fc.nat(3), contained: fc.boolean() }), {
    size: 'max',
    maxLength: 10,
    selector: (one) => `${one.owner.customer} ${one.hostname} ${one.pid} ${one.minute}`,
  }),
  gpuProcesses: fc.array(fc.record({ minute, gpu: fc.nat(3), pid: fc.nat(3) }), {
    size: 'max',
    maxLength: 5,
  }),
  alerts: fc.array(
    fc.record({
      minute,
      owner,
      type: fc.constantFrom(...ALERT_TYPES.slice(0, 6)),
      severity: fc.constantFrom(...SEVERITIES),
    }),
    { size: 'max', maxLength: 25 },
  ),
});

/**
 * Generates records of small fleets of two customers in stream order: samples and XIDs by time, some samples late.
 *
 * @param firstCustomer id of the first customer; the second has the next one
 * @param startMs midnight before the first record
 */
export function fleetArbitrary(firstCustomer: number, startMs: number): fc.Arbitrary<AnyRecord[]> {
  return fleet.map((parts) => recordsOf(parts, firstCustomer, startMs));
}

type Parts = typeof fleet extends fc.Arbitrary<infer P> ? P : never;
interface RandomOwner {
  customer: number;
  workspace_id: number | null;
  api_key_id: number | null;
}

function recordsOf(parts: Parts, firstCustomer: number, startMs: number): AnyRecord[] {
  const time = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();
  const day = (n: number) => time(n * 1_440).slice(0, 10);
  const ownedBy = ({ customer, ...rest }: RandomOwner) => ({
    ...rest,
    customer_id: firstCustomer + customer,
  });
  const ofGpu = (gpu: number) => ({ ...ownedBy(parts.gpus[gpu]!.owner), gpu_id: GPUS[gpu] });
  const telemetry = [
    ...parts.samples.map(({ gpu, minute: minutes, late, ...readings }) => ({
      order: late ? Infinity : minutes,
      record: { kind: 'gpu_sample', ...ofGpu(gpu), at: time(minutes), ...readings },
    })),
    ...parts.xids.map(({ gpu, minute: minutes, code }) => ({
      order: minutes,
      record: { kind: 'xid_event', ...ofGpu(gpu), at: time(minutes), code },
    })),
  ].sort((one, other) => (one.order === other.order ? 0 : one.order - other.order));
  const host = <O extends { owner: RandomOwner; hostname: string }>({ owner: recordOwner, hostname }: O) => ({
    ...ownedBy(recordOwner),
    hostname,
  });
  const readings = ({
    cpu_load_1m,
    cpu_utilization_pct,
    forks_per_second,
    exits_per_second,
  }: HostReadings) => ({
    cpu_load_1m,
    cpu_utilization_pct,
    forks_per_second,
    exits_per_second,
  });
  return [
    ...parts.gpus.map(({ minute: minutes, hostname, report_interval_seconds }, gpu) => ({
      kind: 'gpu',
      ...ofGpu(gpu),
      at: time(minutes),
      hostname,
      report_interval_seconds,
      slowdown_temperature_c: 80,
      shutdown_temperature_c: 90,
    })),
    ...parts.gpuDays.map(({ gpu, day: n, first, length, mean, health_score, ecc_errors }) => {
      const half = <V>(value: V, none: V) =>
        Array.from({ length: 48 }, (_unused, i) => (i >= first && i < first + length ? value : none));
      return {
        kind: 'gpu_day',
        ...ofGpu(gpu),
        day: day(n),
        samples: half(6, 0),
        utilization_pct: half<number | null>(mean, null),
        memory_used_mib: half<number | null>(mean * 2, null),
        temperature_c: half<number | null>(null, null),
        power_draw_w: half<number | null>(mean + 1, null),
        memory_total_mib: 800,
        fan_pct: mean,
        thermal_slope_c_per_minute: mean / 100,
        health_score,
        ...(length % 2 === 0 ? { health_hours: 12 } : {}),
        ecc_errors,
        throttle_events: 1,
        memory_temperature_c: mean,
        tensor_active_pct: mean / 2,
        energy_millijoules: mean * 3_600_000,
      };
    }),
    ...telemetry.map(({ record }) => record),
    ...parts.gpuProcesses.map(({ gpu, minute: minutes, pid }) => ({
      kind: 'gpu_process',
      ...ofGpu(gpu),
      at: time(minutes),
      pid,
      started_at: time(0),
    })),
    ...parts.hostDays.map((one) => ({
      kind: 'host_day',
      ...host(one),
      day: day(one.day),
      samples: one.samples,
      ...readings(one),
    })),
    ...parts.hostSamples.map((one) => ({
      kind: 'host_sample',
      ...host(one),
      at: time(one.minute),
      ...readings(one),
    })),
    ...parts.hosts.map((one) => ({ kind: 'host', ...host(one), at: time(one.minute) })),
    ...parts.containers.map((one) => ({
      kind: 'container',
      ...host(one),
      at: time(one.minute),
      container_id: `c-${one.id}`,
      gpu_ids: one.gpu_ids,
      mps: one.mps,
    })),
    ...parts.vms.map((one) => ({ kind: 'vm', ...host(one), at: time(one.minute), vm_id: `v-${one.id}` })),
    ...parts.processes.map((one) => ({
      kind: 'process',
      ...host(one),
      at: time(one.minute),
      pid: one.pid,
      started_at: time(0),
      ...(one.contained ? { container_id: 'c-1' } : {}),
    })),
    ...parts.alerts.map(({ owner: recordOwner, minute: minutes, type, severity }, n) => ({
      kind: 'alert',
      ...ownedBy(recordOwner),
      id: uuid(n + firstCustomer * 1_000),
      title: 'Alert',
      description: 'A test alert.',
      type,
      severity,
      created_at: time(minutes),
    })),
  ] as AnyRecord[];
}

interface HostReadings {
  cpu_load_1m: number | null;
  cpu_utilization_pct: number | null;
  forks_per_second: number | null;
  exits_per_second: number | null;
}
