import type { Severity } from './alerts.ts';

/** GPU health in list order, the most urgent first (docs/fleet-api.md#list-gpus). */
export const GPU_HEALTHS = ['critical', 'degraded', 'missing', 'healthy'] as const;
export type GpuHealth = (typeof GPU_HEALTHS)[number];

export const XID_TRENDS = ['rising', 'flat', 'falling'] as const;
export type XidTrend = (typeof XID_TRENDS)[number];

/** A GPU in a list (docs/fleet-api.md#list-gpus). */
export interface GpuRow {
  gpu_id: string;
  workspace_id: number;
  vendor: string;
  model: string;
  compute_stack: string;
  driver_version: string;
  health: GpuHealth;
  hostname: string;
  pcie_address: string;
  serial_no: string;
  /** Mean over the window in percent; null without telemetry. */
  utilization_pct: number | null;
  /** Mean over the window in degrees Celsius; null without telemetry. */
  temperature_c: number | null;
  /** XID incidents in the window; null, not 0, when no source of XIDs reported. */
  xid_errors: number | null;
  /** Means of at most 48 even buckets in percent, without buckets that lack telemetry; absent with `view=basic`. */
  utilization_series?: number[];
  last_seen: string;
}

export interface GpuProcess {
  pid: string;
  name: string;
  description: string;
  /** The workload class; empty when unclassified. */
  usage_category: string;
  gpu_utilization_pct: number | null;
  memory_usage_gb: number | null;
  started_at: string;
}

/** An incident of an XID, with the entry in NVIDIA's XID catalog. */
export interface XidErrorRow {
  code: number;
  name: string;
  severity: Severity;
  action: string;
  /** XIDs of the incident. */
  count: number;
  occurred_at: string;
}

/** A reason for a GPU's health: one health rule and the reading that triggered it. */
export interface HealthEvidence {
  rule: string;
  health: GpuHealth;
  evidence: string;
  since: string;
  /** End of the effect without another trigger; null if only a change ends it. */
  until: string | null;
}

/** A GPU's detail (docs/fleet-api.md#get-a-gpu). Fields without data are empty or null, never omitted. */
export interface GpuDetail {
  gpu_id: string;
  vendor: string;
  model: string;
  health: GpuHealth;
  specs: {
    serial_no: string;
    compute_stack: string;
    driver_version: string;
    firmware_version: string;
    hostname: string;
    pcie_address: string;
    mig_enabled: boolean;
  };
  /** Counts of `security_diagnostics` in short. */
  security: {
    total_alerts_24h: number;
    /** Critical, high, medium, low. */
    alerts_by_severity: [number, number, number, number];
  };
  security_diagnostics: {
    alerts_24h: number;
    by_severity: { severity: Severity; count: number }[];
    by_type: { type: string; count: number }[];
    recent_xid_errors: XidErrorRow[];
    health: { status: GpuHealth; reasons: HealthEvidence[] };
  };
  xid: { errors_24h: number | null; trend_7d: XidTrend; last_code: number | null };
  telemetry: {
    utilization_pct: number | null;
    memory_used_gb: number | null;
    memory_total_gb: number | null;
    temperature_c: number | null;
    power_draw_w: number | null;
    power_limit_w: number | null;
    fan_pct: number | null;
    history: {
      utilization: number[];
      memory: number[];
      temperature: number[];
      power: number[];
    };
  };
  processes: GpuProcess[];
  utilization: {
    busy_seconds_24h: number;
    idle_seconds_24h: number;
    usage_categories: { usage_category: string; process_count: number }[];
    analyzed_event_count: number;
    process_families: { name: string; process_count: number }[];
    /** Newest readings. */
    hardware: {
      tensor_active_pct: number | null;
      dram_active_pct: number | null;
      pcie_tx_mb_per_second: number | null;
      pcie_rx_mb_per_second: number | null;
      memory_temperature_c: number | null;
      remapped_rows_total: number | null;
      energy_total_kwh: number | null;
    };
  };
  last_refreshed_at: string;
}
