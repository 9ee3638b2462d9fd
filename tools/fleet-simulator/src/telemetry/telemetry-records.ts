import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Gpu } from '../fleet/fleet.ts';
import { noise } from '../random.ts';
import { recordLine, rounded } from '../record.ts';
import { rfc3339 } from '../time.ts';
import { type Incident, raisesAlert } from './faults.ts';
import { placeOf } from './job-place.ts';
import type { Job } from './jobs.ts';
import type { GpuTelemetry, Readings } from './readings.ts';

/** Interval of `gpu_sample` records in the live feed. */
const REPORT_INTERVAL_MS = 15 * SECOND_MS;
/** Interval of `gpu_process` records. */
export const PROCESS_INTERVAL_MS = 5 * MINUTE_MS;

const HALF_HOUR_MS = 30 * MINUTE_MS;
/** Points subtracted from a health score of 100. */
const HEALTH_PENALTY = { healthy: 0, degraded: 50, critical: 100, missing: 100 };

/** Builds a `gpu` record. */
export function inventoryRecord(gpu: Gpu, at: number): string {
  const temperatures = gpu.model.board?.temperatureC;
  return recordLine('gpu', gpu.host.owner, at, {
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
    report_interval_seconds: REPORT_INTERVAL_MS / SECOND_MS,
  });
}

/**
 * Builds a `gpu_day` record of the UTC day that begins at `day`, from the mean readings of each half hour.
 *
 * @param until end of the day, or start of the half hour with the first sample
 */
export function dayRecord(telemetry: GpuTelemetry, day: number, until: number): string {
  const { gpu } = telemetry;
  const samples = Array.from({ length: DAY_MS / HALF_HOUR_MS }, (_unused, n) => {
    const middle = day + (n + 0.5) * HALF_HOUR_MS;
    return middle < until && telemetry.reports(middle) ? telemetry.readings(middle, 'mean') : null;
  });
  const reported = samples.filter((sample) => sample !== null);
  const series = (name: keyof Readings) =>
    samples.map((sample) => rounded((sample?.[name] ?? null) as number | null));
  /** Null without reported half hours, and for values that the GPU does not report. */
  const sum = (name: keyof Readings) =>
    typeof reported[0]?.[name] === 'number'
      ? reported.reduce((total, sample) => total + Number(sample[name]), 0)
      : null;
  const mean = (name: keyof Readings, digits = 0) => {
    const total = sum(name);
    return total === null ? null : rounded(total / reported.length, digits);
  };
  const watts = sum('power_draw_w');
  return JSON.stringify({
    kind: 'gpu_day',
    ...gpu.host.owner,
    day: rfc3339(day).slice(0, 10),
    gpu_id: gpu.gpuId,
    samples: samples.map((sample) => (sample ? HALF_HOUR_MS / REPORT_INTERVAL_MS : 0)),
    utilization_pct: series('utilization_pct'),
    memory_used_mib: series('memory_used_mib'),
    temperature_c: series('temperature_c'),
    power_draw_w: series('power_draw_w'),
    memory_total_mib: mean('memory_total_mib'),
    fan_pct: mean('fan_pct'),
    sm_clock_mhz: mean('sm_clock_mhz'),
    memory_clock_mhz: mean('memory_clock_mhz'),
    memory_temperature_c: mean('memory_temperature_c'),
    tensor_active_pct: mean('tensor_active_pct', 2),
    dram_active_pct: mean('dram_active_pct', 2),
    pcie_tx_mb_per_second: mean('pcie_tx_mb_per_second', 2),
    pcie_rx_mb_per_second: mean('pcie_rx_mb_per_second', 2),
    energy_millijoules: watts === null ? null : Math.round(watts * HALF_HOUR_MS),
    xid_reported: gpu.host.xidSource === 'gauge',
    thermal_slope_c_per_minute: slopeOf(series('temperature_c')),
    ...incidentTotals(telemetry, day, until),
  });
}

/** Returns the temperature change per minute between the first and the last half hour with a temperature. */
function slopeOf(temperatures: (number | null)[]): number | null {
  const first = temperatures.findIndex((celsius) => celsius !== null);
  const last = temperatures.findLastIndex((celsius) => celsius !== null);
  if (last <= first) return null;
  const minutes = ((last - first) * HALF_HOUR_MS) / MINUTE_MS;
  return rounded((temperatures[last]! - temperatures[first]!) / minutes, 4);
}

/** Returns the health score of a day, and the growth that its incidents cause in the counters of samples every 15 s. */
function incidentTotals(telemetry: GpuTelemetry, day: number, until: number) {
  let penalty = 0;
  let eccErrors = 0;
  let throttleEvents = 0;
  for (const { fault, start, end } of telemetry.incidents(until)) {
    const minutes = Math.floor((Math.min(end, until) - Math.max(start, day)) / MINUTE_MS);
    if (minutes <= 0) continue;
    penalty += HEALTH_PENALTY[fault.health] * minutes;
    if (fault.symptom === 'single_bit_errors') eccErrors += minutes * 6 + (start >= day ? 40 : 0);
    if (fault.symptom === 'double_bit_errors' && start >= day) eccErrors += 2;
    // Every other sample is throttled.
    if (fault.symptom === 'throttling') throttleEvents += minutes * 2;
  }
  return {
    health_score: rounded(Math.max(0, 100 - (penalty * MINUTE_MS) / (until - day)), 2),
    health_hours: (until - day) / HOUR_MS,
    ecc_errors: eccErrors,
    throttle_events: throttleEvents,
  };
}

/** Builds a `gpu_sample` record. Call only while the GPU reports. */
export function sampleRecord(telemetry: GpuTelemetry, at: number): string {
  const { gpu } = telemetry;
  return recordLine('gpu_sample', gpu.host.owner, at, {
    gpu_id: gpu.gpuId,
    ...telemetry.readings(at),
    energy_millijoules_total: telemetry.energyMillijoules(at),
    ...(telemetry.raisesAlert(at) ? { raise_alert: true } : {}),
  });
}

/**
 * Builds the `xid_event` records of an incident. Hosts with the XID gauge have none from `samplesFrom` on: the samples
 * contain the XID, and an event in addition would count it twice.
 */
export function xidRecords({ gpu, fault, start }: Incident, samplesFrom: number): TimedLine[] {
  const { xidSource, owner } = gpu.host;
  if (fault.xid === undefined || xidSource === 'none') return [];
  if (xidSource === 'gauge' && start >= samplesFrom) return [];
  const events = [{ at: start, xid: fault.xid, message: fault.message ?? '' }];
  if (fault.followedBy) events.push({ at: start + MINUTE_MS, ...fault.followedBy });
  return events.map(({ at, xid, message }) => ({
    at,
    line: recordLine('xid_event', owner, at, {
      gpu_id: gpu.gpuId,
      code: xid,
      message: `NVRM: Xid (PCI:${gpu.pcieAddress.slice(4, -2)}): ${xid}, ${message}`,
      ...(raisesAlert(fault) ? { raise_alert: true } : {}),
    }),
  }));
}

/** A record as a JSON line, with its time. */
export interface TimedLine {
  at: number;
  line: string;
}

/** Builds a `gpu_process` record of a job at `at`. */
export function processRecord(telemetry: GpuTelemetry, job: Job, at: number): string {
  const { gpu } = telemetry;
  const { utilizationPct, memoryUsedMib } = telemetry.load(at);
  return recordLine('gpu_process', gpu.host.owner, at, {
    gpu_id: gpu.gpuId,
    pid: job.pid,
    started_at: rfc3339(job.start),
    name: job.program.name,
    description: job.program.description,
    usage_category: job.program.usageCategory,
    ...placeOf(gpu, job),
    gpu_utilization_pct: Math.round(utilizationPct),
    // Without the memory that the driver reserves (420 MiB in `GpuTelemetry.load`).
    memory_used_mib: Math.max(0, memoryUsedMib - 420 - Math.floor(4 * (1 + noise(gpu.index, job.pid)))),
  });
}
