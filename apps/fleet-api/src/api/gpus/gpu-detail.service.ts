import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import type { ReportedHealth } from '../../model/health/health-reasons.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { ALL_DATA, type DataVersion, firstFound, type FoundRow } from '../data-version/data-version.ts';
import type { GpuDetailModel } from './gpu-detail.models.ts';
import type { CommonReading } from './latest-readings.ts';
import { GPU_DETAIL } from './gpu-detail.statements.ts';
import { byLastReport } from './gpu-id.ts';

export interface GpuDetailRow
  extends ReportedHealth, Pick<GpuDetailModel, 'gpu_id' | 'vendor' | 'model' | 'specs' | 'processes'> {
  customer_id: number;
  /** Newest readings; a reading that was never reported is absent. */
  latest: Partial<Record<LatestReading, number>>;
  /** Means per half hour of the last 24 h, oldest first. */
  half_hours: HalfHour[];
  alerts_24h: Pick<GpuDetailModel['security_diagnostics'], 'by_severity' | 'by_type'>;
  /** Incidents of the last 24 h, newest first, at most 50. */
  recent_xids: { code: number; message: string; count: number; occurred_at: string }[];
  /** Number of incidents of the last 24 h; null, not 0, when no source of XIDs has reported. */
  xid_errors_24h: number | null;
  /** Number of incidents of the last 84 h. */
  xid_second_half_7d: number;
  /** Number of incidents of the 84 h before. */
  xid_first_half_7d: number;
  /** Null without a stored XID. */
  last_xid_code: number | null;
}

type LatestReading =
  | CommonReading
  | 'fan_pct'
  | 'memory_temperature_c'
  | 'remapped_rows_total'
  | 'tensor_active_pct'
  | 'dram_active_pct'
  | 'pcie_tx_mb_per_second'
  | 'pcie_rx_mb_per_second'
  | 'energy_millijoules_total';

export interface HalfHour {
  /** Length of the part that is within the last 24 h and between the GPU's first and last report. */
  seconds: number;
  utilization_pct: number | null;
  memory_used_mib: number | null;
  temperature_c: number | null;
  power_draw_w: number | null;
}

/** Reads the details of a GPU from one snapshot. */
@Injectable()
export class GpuDetailService {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @returns null when the GPU does not exist or the caller may not read it */
  async find(access: Access, id: string): Promise<(GpuDetailRow & { data: DataVersion }) | null> {
    const rows = await this.tenants.query<FoundRow<GpuDetailRow>>(access, () => GPU_DETAIL.with({ id }));
    return firstFound(rows, byLastReport, ALL_DATA);
  }
}
