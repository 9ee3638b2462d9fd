import type { Gpu } from '../fleet/fleet.ts';
import { noise } from '../random.ts';
import { DAY, HOUR, MINUTE, rfc3339, SECOND } from '../time.ts';
import type { Incident } from './incidents.ts';
import type { Job } from './jobs.ts';
import type { GpuTelemetry } from './readings.ts';

/** How often each GPU is read, and how often a process on it is seen. */
export const REPORT_INTERVAL = 15 * SECOND;
export const PROCESS_INTERVAL = 5 * MINUTE;

const HALF_HOUR = 30 * MINUTE;
/** Of a score of 100. */
const HEALTH_LOST = { healthy: 0, degraded: 50, critical: 100, missing: 100 };

/** A `gpu` record: what the GPU is. */
export function inventoryRecord(gpu: Gpu, at: number): string {
  const temperatures = gpu.model.board?.temperatureC;
  return JSON.stringify({
    kind: 'gpu',
    ...gpu.host.owner,
    at: rfc3339(at),
    gpu_id: gpu.gpuId,
    vendor: gpu.model.vendor,
    model: gpu.model.name,
    compute_stack: gpu.computeStack,
    driver_version: gpu.driverVersion,
    firmware_version: gpu.firmwareVersion,
    hostname: gpu.host.hostname,
    pcie_address: gpu.pcieAddress,
    serial_no: gpu.serialNo,
    mig_enabled: gpu.migEnabled,
    slowdown_temperature_c: temperatures?.slowdown ?? null,
    shutdown_temperature_c: temperatures?.shutdown ?? null,
    report_interval_seconds: REPORT_INTERVAL / SECOND,
  });
}

/**
 * A `gpu_day` record of the UTC day that begins at `day`: its half hours as they are in their middle.
 *
 * @param until the day's end, or the half hour from which on there are samples
 */
export function dayRecord(gpu: Gpu, telemetry: GpuTelemetry, day: number, until = day + DAY): string {
  const samples: number[] = [];
  const utilization: (number | null)[] = [];
  const memory: (number | null)[] = [];
  const temperature: (number | null)[] = [];
  const power: (number | null)[] = [];
  let busy = 0;
  let heard = 0;
  let warmth = 0;
  for (let middle = day + HALF_HOUR / 2; middle < day + DAY; middle += HALF_HOUR) {
    const load = middle < until && telemetry.reports(middle) ? telemetry.load(middle, 'mean') : undefined;
    samples.push(load ? HALF_HOUR / REPORT_INTERVAL : 0);
    utilization.push(load ? Math.round(load.utilizationPct) : null);
    memory.push(load ? load.memoryUsedMib : null);
    temperature.push(load && load.temperatureC !== null ? Math.round(load.temperatureC) : null);
    power.push(load && load.powerDrawW !== null ? Math.round(load.powerDrawW) : null);
    if (!load) continue;
    heard++;
    warmth += load.temperatureC ?? 0;
    if (load.utilizationPct > 2) busy++;
  }
  const { board, smClockMhz, memoryClockMhz, memoryTotalMib } = gpu.model;
  const share = heard > 0 ? busy / heard : 0;
  const mean = (idle: number, load: number) => (heard > 0 ? Math.round(idle + (load - idle) * share) : null);
  return JSON.stringify({
    kind: 'gpu_day',
    ...gpu.host.owner,
    day: rfc3339(day).slice(0, 10),
    gpu_id: gpu.gpuId,
    samples,
    utilization_pct: utilization,
    memory_used_mib: memory,
    temperature_c: temperature,
    power_draw_w: power,
    memory_total_mib: heard > 0 ? memoryTotalMib : null,
    fan_pct: board?.hasFan && heard > 0 ? Math.round(30 + Math.max(0, warmth / heard - 40) * 1.3) : null,
    sm_clock_mhz: mean(smClockMhz.idle, smClockMhz.boost - 45),
    memory_clock_mhz: mean(memoryClockMhz.idle, memoryClockMhz.load),
    xid_reported: gpu.host.xidSource === 'gauge',
    thermal_slope_c_per_minute: slopeOf(temperature),
    ...incidentsOf(telemetry, day, until),
  });
}

/** From the first half hour with a temperature to the last. */
function slopeOf(temperatures: (number | null)[]): number | null {
  const first = temperatures.findIndex((celsius) => celsius !== null);
  const last = temperatures.findLastIndex((celsius) => celsius !== null);
  if (last <= first) return null;
  const minutes = ((last - first) * HALF_HOUR) / MINUTE;
  return Math.round(((temperatures[last]! - temperatures[first]!) / minutes) * 10_000) / 10_000;
}

/** What faults make of a day's health, and the errors and throttling that its samples would have shown. */
function incidentsOf(
  telemetry: GpuTelemetry,
  day: number,
  until: number,
): { health_score: number; health_hours: number; ecc_errors: number; throttle_events: number } {
  let lost = 0;
  let errors = 0;
  let throttled = 0;
  for (const { fault, start, end } of telemetry.incidents(until)) {
    const minutes = Math.floor((Math.min(end, until) - Math.max(start, day)) / MINUTE);
    if (minutes <= 0) continue;
    lost += minutes * HEALTH_LOST[fault.health];
    if (fault.sign === 'single_bit_errors') errors += minutes * 6 + (start >= day ? 40 : 0);
    if (fault.sign === 'double_bit_errors' && start >= day) errors += 2;
    if (fault.sign === 'throttling') throttled += minutes * 2;
  }
  return {
    health_score: Math.max(0, Math.round((100 - (lost * MINUTE) / (until - day)) * 100) / 100),
    health_hours: (until - day) / HOUR,
    ecc_errors: errors,
    throttle_events: throttled,
  };
}

/** A `gpu_sample` record. Call only while the GPU reports. */
export function sampleRecord(gpu: Gpu, telemetry: GpuTelemetry, at: number): string {
  return JSON.stringify({
    kind: 'gpu_sample',
    ...gpu.host.owner,
    at: rfc3339(at),
    gpu_id: gpu.gpuId,
    ...telemetry.readings(at),
  });
}

/**
 * The `xid_event` records of a fault with a code, where it is a source of its own: on hosts whose kernel log is read,
 * and for times of which there are no samples. Where there are, the gauge in them tells it, and saying it twice
 * would count it twice.
 */
export function xidRecords({ gpu, fault, start }: Incident, samplesFrom: number): XidTold[] {
  const { xidSource, owner } = gpu.host;
  if (fault.xid === undefined || xidSource === 'none') return [];
  if (xidSource === 'gauge' && start >= samplesFrom) return [];
  const told = [{ at: start, xid: fault.xid, message: fault.message ?? '' }];
  if (fault.followedBy) told.push({ at: start + MINUTE, ...fault.followedBy });
  return told.map(({ at, xid, message }) => ({
    at,
    line: JSON.stringify({
      kind: 'xid_event',
      ...owner,
      at: rfc3339(at),
      gpu_id: gpu.gpuId,
      code: xid,
      message: `NVRM: Xid (PCI:${gpu.pcieAddress.slice(4, -2)}): ${xid}, ${message}`,
    }),
  }));
}

/** A line of the kernel's log and its time. */
export interface XidTold {
  at: number;
  line: string;
}

/** A `gpu_process` record: a job's process as it is seen at `at`. */
export function processRecord(gpu: Gpu, telemetry: GpuTelemetry, job: Job, at: number): string {
  const { utilizationPct, memoryUsedMib } = telemetry.load(at);
  return JSON.stringify({
    kind: 'gpu_process',
    ...gpu.host.owner,
    at: rfc3339(at),
    gpu_id: gpu.gpuId,
    pid: job.pid,
    started_at: rfc3339(job.start),
    name: job.program.name,
    description: job.program.description,
    usage_category: job.program.usageCategory,
    gpu_utilization_pct: Math.round(utilizationPct),
    // Without what the driver keeps for itself.
    memory_used_mib: Math.max(0, memoryUsedMib - 420 - Math.floor(4 * (1 + noise(gpu.index, job.pid)))),
  });
}
