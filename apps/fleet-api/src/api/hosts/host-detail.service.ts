import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp, SECOND_MS } from '@gpu-observatory/domain-types';
import type { ScopeFilter } from '../access/access-scope.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import {
  ALL_DATA,
  type DataVersion,
  dataVersionOf,
  type FoundRow,
  foundRows,
} from '../data-version/data-version.ts';
import { toGpuStatus, toReasons } from '../gpu-status/gpu-status.ts';
import { isLongWindow } from '../query-parameters/requested-window.ts';
import { byLastReport } from '../gpus/gpu-id.ts';
import { gigabytes } from '../gpus/latest-readings.ts';
import { type TelemetryWindow, windowParameters } from '../gpus/telemetry-window.ts';
import type { JobModel } from '../jobs/job.models.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import { type HostGpuRow, toHost } from './host.ts';
import type { HostDetailModel, HostResponse } from './hosts.models.ts';
import { HOST } from './hosts.statements.ts';

/** A GPU of a host. The columns of the host, which are the same in each row, are null where unknown. */
interface HostDetailRow extends HostGpuRow {
  jobs: JobModel[];
  /** Inventory from the `host` records: each field has its newest value. */
  doc: {
    cpus?: number;
    memory_total_mib?: number | null;
    operating_system?: string;
    kernel?: string;
    started_at?: string;
  } | null;
  /** Time of the newest `host` record. */
  last_reported_at: Date | null;
  /** Time of the CPU readings. */
  sampled_at: Date | null;
  cpu_load_1m: number | null;
  cpu_utilization_pct: number | null;
}

/** Reads a host with its GPUs from one snapshot. */
@Injectable()
export class HostDetailService {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @returns null when no GPU that the caller may read is on the host */
  async find(
    access: Access,
    filter: ScopeFilter,
    hostname: string,
    window: TelemetryWindow,
  ): Promise<{ body: HostResponse; data: DataVersion } | null> {
    const found = await this.tenants.query<FoundRow<HostDetailRow>>(
      access,
      () => HOST.with({ ...windowParameters(window), hostname }),
      { filter, isSlow: isLongWindow(window) },
    );
    const rows = foundRows(found);
    // Several customers may have a host of this name: the one that reported last is returned.
    const [newest] = rows.toSorted(byLastReport);
    if (newest === undefined) return null;
    const gpuRows = rows.filter(({ customer_id }) => customer_id === newest.customer_id);
    return { data: dataVersionOf(found, ALL_DATA), body: { host: toHostDetail(gpuRows, newest) } };
  }
}

/** @param newest the row to read the columns of the host from */
function toHostDetail(rows: readonly HostDetailRow[], newest: HostDetailRow): HostDetailModel {
  const bySlot = rows.toSorted(
    (a, b) => compareCodePoints(a.pcie_address, b.pcie_address) || compareCodePoints(a.gpu_id, b.gpu_id),
  );
  const doc = newest.doc ?? {};
  return {
    ...toHost(rows),
    gpus: bySlot.map((row) => ({ ...toGpuStatus(row), reasons: toReasons(row) })),
    jobs: bySlot
      .flatMap(({ jobs }) => jobs)
      .sort(
        (a, b) => Number(b.is_running) - Number(a.is_running) || compareCodePoints(b.last_seen, a.last_seen),
      ),
    cpu:
      newest.sampled_at === null
        ? null
        : {
            load_1m: newest.cpu_load_1m,
            utilization_pct: newest.cpu_utilization_pct,
            at: formatTimestamp(newest.sampled_at),
          },
    uptime: uptimeOf(newest),
    cpu_count: doc.cpus ?? null,
    memory_total_gb: gigabytes(doc.memory_total_mib),
    operating_system: doc.operating_system ?? '',
    kernel: doc.kernel ?? '',
  };
}

function uptimeOf({ doc, last_reported_at: at }: HostDetailRow): HostDetailModel['uptime'] {
  if (doc?.started_at === undefined || at === null) return null;
  const seconds = Math.round((at.getTime() - Date.parse(doc.started_at)) / SECOND_MS);
  // A boot time after the report is wrong.
  return seconds < 0 ? null : { seconds, at: formatTimestamp(at) };
}
