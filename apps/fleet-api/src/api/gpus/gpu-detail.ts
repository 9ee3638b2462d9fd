import { formatTimestamp, type XidTrend } from '@gpu-observatory/domain-types';
import { type HealthReason, healthReasons, type ReportedHealth } from '../../model/health/health-reasons.ts';
import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import { MILLIJOULES_PER_KWH } from '../../model/metrics/measures.ts';
import { sumByName } from '../merge-by-key.ts';
import { rounded } from '../rounded.ts';
import type { GpuDetailModel } from './gpu-detail.models.ts';
import { type CommonReading, commonReadings } from './latest-readings.ts';
import { workloadFamily } from './workload-family.ts';

/** A row of `GPU_DETAIL`. */
export interface GpuDetailRow
  extends ReportedHealth, Pick<GpuDetailModel, 'gpu_id' | 'vendor' | 'model' | 'specs' | 'processes'> {
  customer_id: number;
  /** Newest readings; a reading that was never reported is absent. */
  latest: Partial<Record<LatestReading, number>>;
  history: GpuDetailModel['telemetry']['history'];
  /** Length of the half hours of the last 24 h with a reading of the utilization. */
  measured_seconds: number;
  /** The same, times the mean utilization of each half hour. */
  busy_seconds: number;
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

/** Returns all fields of docs/fleet-api.md#get-a-gpu; unknown values are empty or null. */
export function toGpuDetail(row: GpuDetailRow, xids: XidCatalog): GpuDetailModel {
  const alertCounts = row.alerts_24h.by_severity.map(({ count }) => count);
  const totalAlerts = alertCounts.reduce((total, count) => total + count, 0);
  return {
    gpu_id: row.gpu_id,
    vendor: row.vendor,
    model: row.model,
    health: row.health,
    specs: row.specs,
    // From critical to low: `security_diagnostics` also has the severity info.
    security: { total_alerts_24h: totalAlerts, alerts_by_severity: alertCounts.slice(0, 4) },
    security_diagnostics: {
      alerts_24h: totalAlerts,
      ...row.alerts_24h,
      recent_xid_errors: row.recent_xids.map((xid) => toXidError(xid, xids)),
      health: { status: row.health, reasons: healthReasons(row).map(toHealthEvidence) },
    },
    xid: {
      errors_24h: row.xid_errors_24h,
      trend_7d: xidTrend(row.xid_second_half_7d, row.xid_first_half_7d),
      last_code: row.last_xid_code,
    },
    telemetry: {
      ...commonReadings(row.latest),
      fan_pct: row.latest.fan_pct ?? null,
      history: row.history,
    },
    processes: row.processes,
    utilization: utilizationOf(row, totalAlerts),
    last_refreshed_at: formatTimestamp(row.last_seen),
  };
}

function toXidError(
  { code, message, ...incident }: GpuDetailRow['recent_xids'][number],
  xids: XidCatalog,
): GpuDetailModel['security_diagnostics']['recent_xid_errors'][number] {
  const { name, severity, action } = xids.entry(code, message);
  return { code, name, severity, action, ...incident };
}

/** Omits the time of the evidence and the action, which the detail of a GPU does not contain. */
function toHealthEvidence({ evidenceAt: _at, action: _action, ...reason }: HealthReason) {
  return reason;
}

function utilizationOf(
  { latest, processes, ...row }: GpuDetailRow,
  totalAlerts: number,
): GpuDetailModel['utilization'] {
  return {
    busy_seconds_24h: row.busy_seconds,
    idle_seconds_24h: row.measured_seconds - row.busy_seconds,
    usage_categories: sumByName(processes.map((process) => [process.usage_category, 1])).map(
      ([usage_category, process_count]) => ({ usage_category, process_count }),
    ),
    analyzed_event_count: totalAlerts + (row.xid_errors_24h ?? 0),
    process_families: sumByName(processes.map((process) => [workloadFamily(process), 1])).map(
      ([name, process_count]) => ({ name, process_count }),
    ),
    hardware: {
      tensor_active_pct: latest.tensor_active_pct ?? null,
      dram_active_pct: latest.dram_active_pct ?? null,
      pcie_tx_mb_per_second: latest.pcie_tx_mb_per_second ?? null,
      pcie_rx_mb_per_second: latest.pcie_rx_mb_per_second ?? null,
      memory_temperature_c: latest.memory_temperature_c ?? null,
      remapped_rows_total: latest.remapped_rows_total ?? null,
      energy_total_kwh: kilowattHours(latest.energy_millijoules_total),
    },
  };
}

/** Compares the numbers of incidents in the two halves of 7 days. A difference of up to one incident or a fifth is flat. */
export function xidTrend(secondHalf: number, firstHalf: number): XidTrend {
  const difference = secondHalf - firstHalf;
  if (Math.abs(difference) <= Math.max(1, firstHalf / 5)) return 'flat';
  return difference > 0 ? 'rising' : 'falling';
}

/** Converts to kWh with four decimals. */
function kilowattHours(millijoules: number | undefined): number | null {
  if (millijoules === undefined) return null;
  return rounded(millijoules / MILLIJOULES_PER_KWH, 4);
}
