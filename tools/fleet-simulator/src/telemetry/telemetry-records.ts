import type { Gpu } from '../fleet/fleet.ts';
import { noise } from '../random.ts';
import { DAY, MINUTE, rfc3339, SECOND } from '../time.ts';
import type { Incident } from './incidents.ts';
import type { Job } from './jobs.ts';
import type { GpuTelemetry } from './readings.ts';

/** How often each GPU is read, and how often a process on it is seen. */
export const REPORT_INTERVAL = 15 * SECOND;
export const PROCESS_INTERVAL = 5 * MINUTE;

const HALF_HOUR = 30 * MINUTE;

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

/** A `gpu_day` record of the UTC day that begins at `day`: its half hours as they are in their middle. */
export function dayRecord(gpu: Gpu, telemetry: GpuTelemetry, day: number): string {
  const samples: number[] = [];
  const utilization: (number | null)[] = [];
  const memory: (number | null)[] = [];
  const temperature: (number | null)[] = [];
  const power: (number | null)[] = [];
  let busy = 0;
  let heard = 0;
  let warmth = 0;
  for (let middle = day + HALF_HOUR / 2; middle < day + DAY; middle += HALF_HOUR) {
    const load = telemetry.reports(middle) ? telemetry.load(middle, 'mean') : undefined;
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
  });
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
 * An `xid_event` record for a fault with a code, where it is a source of its own: on hosts whose kernel log is read,
 * and for times of which there are no samples. Where there are, the gauge in them tells it, and saying it twice
 * would count it twice.
 */
export function xidRecord({ gpu, fault, start }: Incident, samplesFrom: number): string | undefined {
  const { xidSource, owner } = gpu.host;
  if (fault.xid === undefined || xidSource === 'none') return undefined;
  if (xidSource === 'gauge' && start >= samplesFrom) return undefined;
  return JSON.stringify({
    kind: 'xid_event',
    ...owner,
    at: rfc3339(start),
    gpu_id: gpu.gpuId,
    code: fault.xid,
    message: `NVRM: Xid (PCI:${gpu.pcieAddress.slice(4, -2)}): ${fault.xid}, ${fault.message ?? ''}`,
  });
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
