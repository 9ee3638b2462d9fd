import { formatTimestamp, SECOND_MS } from '@gpu-observatory/domain-types';
import { toGpuStatus, toReasons } from '../gpu-status/gpu-status.ts';
import { gigabytes } from '../gpus/latest-readings.ts';
import type { JobModel } from '../jobs/job.models.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import { type HostGpuRow, toHost } from './host.ts';
import type { HostDetailModel } from './hosts.models.ts';

/** A GPU of a host. The columns of the host, which are the same in each row, are null where unknown. */
export interface HostDetailRow extends HostGpuRow {
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
  cpu: HostDetailModel['cpu'];
}

/** @param rows all GPUs of a host, at least one */
export function toHostDetail(rows: readonly HostDetailRow[]): HostDetailModel {
  const bySlot = rows.toSorted(
    (a, b) => compareCodePoints(a.pcie_address, b.pcie_address) || compareCodePoints(a.gpu_id, b.gpu_id),
  );
  const [host] = rows as [HostDetailRow];
  const doc = host.doc ?? {};
  return {
    ...toHost(rows),
    gpus: bySlot.map((row) => ({ ...toGpuStatus(row), reasons: toReasons(row) })),
    jobs: bySlot
      .flatMap(({ jobs }) => jobs)
      .sort(
        (a, b) => Number(b.is_running) - Number(a.is_running) || compareCodePoints(b.last_seen, a.last_seen),
      ),
    cpu: host.cpu,
    uptime: uptimeOf(host),
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
