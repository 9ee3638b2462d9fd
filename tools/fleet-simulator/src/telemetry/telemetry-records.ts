import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Gpu } from '../fleet/fleet.ts';
import { noise } from '../random.ts';
import { recordLine } from '../record.ts';
import { rfc3339 } from '../time.ts';
import { type Incident, raisesAlert } from './faults.ts';
import { placeOf } from './job-place.ts';
import type { Job } from './jobs.ts';
import { ACTIVITY, fanPct, type GpuTelemetry, type Load } from './readings.ts';

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
 * Builds a `gpu_day` record of the UTC day that begins at `day`. The value of each half hour is the load at its middle.
 *
 * @param until end of the day, or start of the half hour with the first sample
 */
export function dayRecord(telemetry: GpuTelemetry, day: number, until: number): string {
  const { gpu } = telemetry;
  const { board, smClockMhz, memoryClockMhz, memoryTotalMib } = gpu.model;
  const loads = Array.from({ length: DAY_MS / HALF_HOUR_MS }, (_unused, n) => {
    const middle = day + (n + 0.5) * HALF_HOUR_MS;
    return middle < until && telemetry.reports(middle) ? telemetry.load(middle, 'mean') : null;
  });
  const reported = loads.filter((load) => load !== null);
  const sum = (value: (load: Load) => number) => reported.reduce((total, load) => total + value(load), 0);
  const mean = (value: (load: Load) => number) => (reported.length > 0 ? sum(value) / reported.length : null);
  const readings = (name: 'utilizationPct' | 'memoryUsedMib' | 'temperatureC' | 'powerDrawW') =>
    loads.map((load) => rounded(load?.[name] ?? null));
  const busyShare = mean(({ utilizationPct }) => (utilizationPct > 2 ? 1 : 0));
  const clock = (idle: number, load: number) =>
    busyShare === null ? null : Math.round(idle + (load - idle) * busyShare);
  const temperatures = readings('temperatureC');
  const temperature = board && mean(({ temperatureC }) => temperatureC ?? 0);
  const joules = (sum(({ powerDrawW }) => powerDrawW ?? 0) * HALF_HOUR_MS) / SECOND_MS;
  return JSON.stringify({
    kind: 'gpu_day',
    ...gpu.host.owner,
    day: rfc3339(day).slice(0, 10),
    gpu_id: gpu.gpuId,
    samples: loads.map((load) => (load ? HALF_HOUR_MS / REPORT_INTERVAL_MS : 0)),
    utilization_pct: readings('utilizationPct'),
    memory_used_mib: readings('memoryUsedMib'),
    temperature_c: temperatures,
    power_draw_w: readings('powerDrawW'),
    memory_total_mib: reported.length > 0 ? memoryTotalMib : null,
    fan_pct: temperature !== null && board?.hasFan ? fanPct(temperature) : null,
    sm_clock_mhz: clock(smClockMhz.idle, smClockMhz.boost - 45),
    memory_clock_mhz: clock(memoryClockMhz.idle, memoryClockMhz.load),
    memory_temperature_c: telemetry.memoryTemperature(temperature),
    ...Object.fromEntries(
      ACTIVITY.map((name) => [
        name,
        board &&
          rounded(
            mean(({ activity }) => activity?.[name] ?? 0),
            2,
          ),
      ]),
    ),
    energy_millijoules: board ? Math.round(joules * 1_000) : null,
    xid_reported: gpu.host.xidSource === 'gauge',
    thermal_slope_c_per_minute: slopeOf(temperatures),
    ...incidentsOf(telemetry, day, until),
  });
}

function rounded(value: number | null, digits = 0): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
}

/** Returns the temperature change per minute between the first and the last half hour with a temperature. */
function slopeOf(temperatures: (number | null)[]): number | null {
  const first = temperatures.findIndex((celsius) => celsius !== null);
  const last = temperatures.findLastIndex((celsius) => celsius !== null);
  if (last <= first) return null;
  const minutes = ((last - first) * HALF_HOUR_MS) / MINUTE_MS;
  return Math.round(((temperatures[last]! - temperatures[first]!) / minutes) * 10_000) / 10_000;
}

/** Returns the daily health score and counters that result from the incidents. */
function incidentsOf(
  telemetry: GpuTelemetry,
  day: number,
  until: number,
): { health_score: number; health_hours: number; ecc_errors: number; throttle_events: number } {
  let penalty = 0;
  let errors = 0;
  let throttled = 0;
  for (const { fault, start, end } of telemetry.incidents(until)) {
    const minutes = Math.floor((Math.min(end, until) - Math.max(start, day)) / MINUTE_MS);
    if (minutes <= 0) continue;
    penalty += minutes * HEALTH_PENALTY[fault.health];
    if (fault.symptom === 'single_bit_errors') errors += minutes * 6 + (start >= day ? 40 : 0);
    if (fault.symptom === 'double_bit_errors' && start >= day) errors += 2;
    if (fault.symptom === 'throttling') throttled += minutes * 2;
  }
  return {
    health_score: Math.max(0, Math.round((100 - (penalty * MINUTE_MS) / (until - day)) * 100) / 100),
    health_hours: (until - day) / HOUR_MS,
    ecc_errors: errors,
    throttle_events: throttled,
  };
}

/** Builds a `gpu_sample` record. Call only while the GPU reports. */
export function sampleRecord(telemetry: GpuTelemetry, at: number): string {
  const { gpu } = telemetry;
  return recordLine('gpu_sample', gpu.host.owner, at, { gpu_id: gpu.gpuId, ...telemetry.readings(at) });
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
