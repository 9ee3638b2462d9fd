import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp, type GpuHealth, SECOND_MS } from '@gpu-observatory/domain-types';
import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { type DataVersion, firstFound, type FoundRow } from '../data-version/data-version.ts';
import { gigabytes } from '../gpus/gigabytes.ts';
import { byLastReport } from '../gpus/gpu-id.ts';
import { type JobRow, toJob } from '../jobs/job.ts';
import type { GpuHistoryModel, HistoryReadingsModel } from './gpu-history.models.ts';
import { GPU_HISTORY, HISTORY_READINGS, type HistoryReading } from './gpu-history.statements.ts';
import { type HistoryWindow, inSteps } from './history-window.ts';

interface HistoryRow {
  customer_id: number;
  gpu_id: string;
  health: GpuHealth;
  last_seen: Date;
  /** The number of each step with a sample, and its `HISTORY_READINGS`. */
  steps: [step: number, ...readings: (number | null)[]][];
  jobs: JobRow[];
}

type Found = { row: HistoryRow & { data: DataVersion }; window: HistoryWindow };

/** Reads the history of a GPU. */
@Injectable()
export class GpuHistoryService {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @returns null when the GPU does not exist or the caller may not read it */
  async find(
    access: Access,
    id: string,
    window: HistoryWindow,
  ): Promise<{ body: GpuHistoryModel; data: DataVersion } | null> {
    const found = await this.read(access, id, window);
    return found === null ? null : { data: found.row.data, body: toHistory(found) };
  }

  /** Steps of less than half an hour are of raw samples. Where these are no longer stored, half hours are. */
  private async read(access: Access, id: string, window: HistoryWindow): Promise<Found | null> {
    if (window.stepMs < HALF_HOUR_MS) {
      const row = await this.query(access, id, window, 'samples');
      if (row === null || row.steps.length > 0 || window.fromMs === window.toMs)
        return row && { row, window };
    }
    const { fromMs, toMs, stepMs } = window;
    const halfHours = inSteps(fromMs, toMs, Math.max(stepMs, HALF_HOUR_MS));
    const row = await this.query(access, id, halfHours, 'days');
    return row && { row, window: row.steps.length > 0 ? halfHours : window };
  }

  private async query(
    access: Access,
    id: string,
    { fromMs, toMs, stepMs }: HistoryWindow,
    source: keyof typeof GPU_HISTORY,
  ): Promise<Found['row'] | null> {
    const parameters = {
      id,
      from: new Date(fromMs),
      to: new Date(toMs),
      fromSeconds: fromMs / SECOND_MS,
      stepSeconds: stepMs / SECOND_MS,
    };
    const rows = await this.tenants.query<FoundRow<HistoryRow>>(access, () =>
      GPU_HISTORY[source].with(parameters),
    );
    return firstFound(rows, byLastReport, ['telemetry']);
  }
}

function toHistory({ row, window: { fromMs, toMs, stepMs } }: Found): GpuHistoryModel {
  return {
    gpu_id: row.gpu_id,
    from: formatTimestamp(new Date(fromMs)),
    to: formatTimestamp(new Date(toMs)),
    step_seconds: stepMs / SECOND_MS,
    readings: toReadings(row.steps, { fromMs, toMs, stepMs }),
    jobs: row.jobs.map((job) => toJob(job, row)),
  };
}

function toReadings(
  steps: HistoryRow['steps'],
  { fromMs, toMs, stepMs }: HistoryWindow,
): HistoryReadingsModel {
  const at = Array.from({ length: (toMs - fromMs) / stepMs }, (_unused, n) =>
    formatTimestamp(new Date(fromMs + n * stepMs)),
  );
  const meansOf = (reading: HistoryReading) => {
    const means = at.map((): number | null => null);
    for (const [step, ...readings] of steps)
      means[step] = rounded(reading, readings[HISTORY_READINGS.indexOf(reading)] ?? null);
    return means;
  };
  const others = HISTORY_READINGS.slice(4)
    .map((reading) => [reading, meansOf(reading)] as const)
    .filter(([, means]) => means.some((mean) => mean !== null));
  return {
    at,
    utilization_pct: meansOf('utilization_pct'),
    memory_used_gb: meansOf('memory_used_mib'),
    temperature_c: meansOf('temperature_c'),
    power_draw_w: meansOf('power_draw_w'),
    ...Object.fromEntries(others),
  };
}

function rounded(reading: HistoryReading, mean: number | null): number | null {
  if (reading === 'memory_used_mib') return gigabytes(mean);
  return mean === null ? null : Math.round(mean * 100) / 100;
}
