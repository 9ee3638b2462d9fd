import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp, SECOND_MS } from '@gpu-observatory/domain-types';
import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { type DataVersion, firstFound, type FoundRow, TELEMETRY_DATA } from '../data-version/data-version.ts';
import { byLastReport, unknownGpu } from '../gpus/gpu-id.ts';
import type { JobModel } from '../jobs/job.models.ts';
import type { GpuHistoryModel, HistoryReadingsModel } from './gpu-history.models.ts';
import { GPU_HISTORY } from './gpu-history.statements.ts';
import { type HistoryWindow, inSteps } from './history-window.ts';

interface HistoryRow {
  customer_id: number;
  gpu_id: string;
  last_seen: Date;
  /** Whether a step has readings. */
  has_readings: boolean;
  readings: Omit<HistoryReadingsModel, 'at'>;
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

  /** @throws {DomainError} `not_found` when the GPU does not exist or the caller may not read it */
  async find(
    access: Access,
    id: string,
    window: HistoryWindow,
  ): Promise<{ body: GpuHistoryModel; data: DataVersion }> {
    const history = await this.read(access, id, window);
    return { data: history.row.data, body: toModel(history) };
  }

  /** Reads raw samples for steps of less than half an hour. For longer steps, and where no samples are stored, it reads half hours. */
  private async read(access: Access, id: string, window: HistoryWindow): Promise<History> {
    const { fromMs, toMs, stepMs } = window;
    if (stepMs >= HALF_HOUR_MS) return this.readSteps(access, id, window, 'days');
    const samples = await this.readSteps(access, id, window, 'samples');
    const isEmptyWindow = fromMs === toMs;
    if (samples.row.has_readings || isEmptyWindow) return samples;
    const halfHours = await this.readSteps(access, id, inSteps(window, HALF_HOUR_MS), 'days');
    // Without any data, the window keeps its own steps.
    return halfHours.row.has_readings ? halfHours : samples;
  }

  private async readSteps(
    access: Access,
    id: string,
    window: HistoryWindow,
    table: keyof typeof GPU_HISTORY,
  ): Promise<History> {
    const { fromMs, toMs, stepMs } = window;
    const parameters = {
      id,
      from: new Date(fromMs),
      to: new Date(toMs),
      fromSeconds: fromMs / SECOND_MS,
      stepSeconds: stepMs / SECOND_MS,
      stepCount: (toMs - fromMs) / stepMs,
    };
    const rows = await this.tenants.query<FoundRow<HistoryRow>>(access, () =>
      GPU_HISTORY[table].with(parameters),
    );
    return { row: firstFound(rows, byLastReport, TELEMETRY_DATA, unknownGpu(id)), window };
  }
}

function toModel({ row, window: { fromMs, toMs, stepMs } }: History): GpuHistoryModel {
  const starts = Array.from({ length: (toMs - fromMs) / stepMs }, (_unused, n) => fromMs + n * stepMs);
  return {
    gpu_id: row.gpu_id,
    from: formatTimestamp(new Date(fromMs)),
    to: formatTimestamp(new Date(toMs)),
    step_seconds: stepMs / SECOND_MS,
    readings: { at: starts.map((ms) => formatTimestamp(new Date(ms))), ...row.readings },
    jobs: row.jobs,
  };
}
