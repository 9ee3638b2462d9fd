import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp, SECOND_MS } from '@gpu-observatory/domain-types';
import { DAY_READINGS, HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { type DataVersion, firstFound, type FoundRow, TELEMETRY_DATA } from '../data-version/data-version.ts';
import { byLastReport } from '../gpus/gpu-id.ts';
import { gigabytes } from '../gpus/latest-readings.ts';
import type { JobModel } from '../jobs/job.models.ts';
import type { GpuHistoryModel, HistoryReadingsModel } from './gpu-history.models.ts';
import { GPU_HISTORY, HISTORY_READINGS, type HistoryReading } from './gpu-history.statements.ts';
import { type HistoryWindow, alignToSteps } from './history-window.ts';

interface HistoryRow {
  customer_id: number;
  gpu_id: string;
  last_seen: Date;
  /** The steps with samples: the index of each step, and the means of `HISTORY_READINGS`. */
  steps: [step: number, ...means: (number | null)[]][];
  jobs: JobModel[];
}

/** A row, and the window that its steps divide. */
interface History {
  row: HistoryRow & { data: DataVersion };
  window: HistoryWindow;
}

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
    const history = await this.read(access, id, window);
    return history === null ? null : { data: history.row.data, body: toModel(history) };
  }

  /** Reads raw samples for steps of less than half an hour. For longer steps, and where no samples are stored, it reads half hours. */
  private async read(access: Access, id: string, window: HistoryWindow): Promise<History | null> {
    const { fromMs, toMs, stepMs } = window;
    if (stepMs < HALF_HOUR_MS) {
      const samples = await this.readSteps(access, id, window, 'samples');
      const isEmptyWindow = fromMs === toMs;
      if (samples === null || samples.row.steps.length > 0 || isEmptyWindow) return samples;
    }
    const widened = alignToSteps(fromMs, toMs, Math.max(stepMs, HALF_HOUR_MS));
    const halfHours = await this.readSteps(access, id, widened, 'days');
    if (halfHours === null || halfHours.row.steps.length > 0) return halfHours;
    // Without any data, the window keeps its own steps.
    return { ...halfHours, window };
  }

  private async readSteps(
    access: Access,
    id: string,
    window: HistoryWindow,
    table: keyof typeof GPU_HISTORY,
  ): Promise<History | null> {
    const { fromMs, toMs, stepMs } = window;
    const parameters = {
      id,
      from: new Date(fromMs),
      to: new Date(toMs),
      fromSeconds: fromMs / SECOND_MS,
      stepSeconds: stepMs / SECOND_MS,
    };
    const rows = await this.tenants.query<FoundRow<HistoryRow>>(access, () =>
      GPU_HISTORY[table].with(parameters),
    );
    const row = firstFound(rows, byLastReport, TELEMETRY_DATA);
    return row && { row, window };
  }
}

function toModel({ row, window }: History): GpuHistoryModel {
  return {
    gpu_id: row.gpu_id,
    from: formatTimestamp(new Date(window.fromMs)),
    to: formatTimestamp(new Date(window.toMs)),
    step_seconds: window.stepMs / SECOND_MS,
    readings: toReadings(row.steps, window),
    jobs: row.jobs,
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
    const meanOfSteps = at.map((): number | null => null);
    for (const [step, ...means] of steps)
      meanOfSteps[step] = toApiUnit(reading, means[HISTORY_READINGS.indexOf(reading)] ?? null);
    return meanOfSteps;
  };
  const optional = DAY_READINGS.map(({ reading }) => [reading, meansOf(reading)] as const).filter(
    ([, means]) => means.some((mean) => mean !== null),
  );
  return {
    at,
    utilization_pct: meansOf('utilization_pct'),
    memory_used_gb: meansOf('memory_used_mib'),
    temperature_c: meansOf('temperature_c'),
    power_draw_w: meansOf('power_draw_w'),
    ...Object.fromEntries(optional),
  };
}

/** Converts a mean to the unit of the API, rounded. */
function toApiUnit(reading: HistoryReading, mean: number | null): number | null {
  if (reading === 'memory_used_mib') return gigabytes(mean);
  return mean === null ? null : Math.round(mean * 100) / 100;
}
