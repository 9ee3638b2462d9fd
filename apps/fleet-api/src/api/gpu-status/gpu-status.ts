import { formatTimestamp } from '@gpu-observatory/domain-types';
import {
  type HealthReason,
  healthReasons,
  healthSince,
  type ReportedHealth,
} from '../../model/health/health-reasons.ts';
import { type CommonReading, commonReadings } from '../gpus/latest-readings.ts';
import type { GpuStatusModel, ReasonModel } from './gpu-status.models.ts';
import { IDLE_BELOW_PCT } from './status-columns.sql.ts';

/** Columns that are fields of the API. */
type Field =
  'gpu_id' | 'hostname' | 'workspace_id' | 'vendor' | 'model' | 'pcie_address' | 'serial_no' | 'xid_errors';

/** A row of `STATUS_COLUMNS`. */
export interface GpuStatusRow extends ReportedHealth, Pick<GpuStatusModel, Field> {
  /** Rank of `urgencySql`, 0 to 4; 0 is the most urgent. */
  rank: number;
  latest: Partial<Record<CommonReading, number>>;
  /** Mean over the window with two decimals; null without readings. */
  mean_utilization_pct: number | null;
  /** Mean over the window with two decimals; null without readings. */
  mean_temperature_c: number | null;
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
