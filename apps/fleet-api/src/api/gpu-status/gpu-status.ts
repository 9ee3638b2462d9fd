import { formatTimestamp, type GpuHealth } from '@gpu-observatory/domain-types';
import {
  type HealthReason,
  healthReasons,
  healthSince,
  type ReportedHealth,
} from '../../model/health/health-reasons.ts';
import { type CommonReading, commonReadings } from '../gpus/latest-readings.ts';
import type { GpuStatusModel, ReasonModel } from './gpu-status.models.ts';
import { IDLE_BELOW_PCT } from './status-columns.sql.ts';

/** A row of `STATUS_COLUMNS`. */
export interface GpuStatusRow extends ReportedHealth {
  gpu_id: string;
  hostname: string;
  workspace_id: number;
  vendor: string;
  model: string;
  pcie_address: string;
  serial_no: string;
  health: GpuHealth;
  /** Rank of `urgencySql`, 0 to 4; 0 is the most urgent. */
  rank: number;
  latest: Partial<Record<CommonReading, number>>;
  /** Mean over the window with two decimals; null without readings. */
  mean_utilization_pct: number | null;
  /** Mean over the window with two decimals; null without readings. */
  mean_temperature_c: number | null;
  /** Number of XID incidents in the window; null when no source of XIDs has reported. */
  xid_errors: number | null;
}

export function toGpuStatus(row: GpuStatusRow): GpuStatusModel {
  const mean = row.mean_utilization_pct;
  return {
    gpu_id: row.gpu_id,
    hostname: row.hostname,
    workspace_id: row.workspace_id,
    vendor: row.vendor,
    model: row.model,
    pcie_address: row.pcie_address,
    serial_no: row.serial_no,
    health: row.health,
    since: healthSince(row),
    reason: toReasons(row)[0] ?? null,
    latest: commonReadings(row.latest),
    mean: { utilization_pct: mean, temperature_c: row.mean_temperature_c },
    idle: mean === null ? null : mean < IDLE_BELOW_PCT,
    xid_errors: row.xid_errors,
    last_seen: formatTimestamp(row.last_seen),
  };
}

/** Returns all reasons for the health, most important first. */
export function toReasons(row: GpuStatusRow): ReasonModel[] {
  return healthReasons(row).map(toReason);
}

function toReason({ rule, health, evidence, evidenceAt, since, until, action }: HealthReason): ReasonModel {
  return { rule, health, evidence, evidence_at: evidenceAt, since, until, action };
}
