import type { FleetMetrics, Gpu, GpuDetail, GpuHistory, GpuStatus } from '../../src/data/queries.ts';

/** Time of the fleet, which the tests also set as the time of the browser. */
export const NOW = Date.parse('2026-11-25T12:00:00Z');
export const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

type Reason = GpuDetail['security_diagnostics']['health']['reasons'][number];

export function gpuOf(id: string, fields: Partial<Gpu> = {}): Gpu {
  return {
    gpu_id: id,
    workspace_id: 1,
    vendor: 'NVIDIA',
    model: 'NVIDIA H100',
    compute_stack: 'CUDA',
    driver_version: '570',
    health: 'healthy',
    hostname: `host-${id}`,
    pcie_address: '00000000:17:00.0',
    serial_no: '',
    utilization_pct: 50,
    temperature_c: 60,
    xid_errors: 0,
    last_seen: minutesAgo(0),
    ...fields,
  };
}

export function reasonOf(rule: string, evidence: string, fields: Partial<Reason> = {}): Reason {
  return { rule, evidence, health: 'critical', since: minutesAgo(60), until: minutesAgo(-10), ...fields };
}

export function detailOf(gpu: Gpu, reasons: Reason[] = [], fields: Partial<GpuDetail> = {}): GpuDetail {
  const none = { utilization: [], memory: [], temperature: [], power: [] };
  return {
    gpu_id: gpu.gpu_id,
    vendor: gpu.vendor,
    model: gpu.model,
    health: gpu.health,
    specs: {
      serial_no: '',
      compute_stack: '',
      driver_version: '',
      firmware_version: '',
      hostname: gpu.hostname,
      pcie_address: gpu.pcie_address,
      mig_enabled: false,
    },
    security: { total_alerts_24h: 0, alerts_by_severity: [0, 0, 0, 0] },
    security_diagnostics: {
      alerts_24h: 0,
      by_severity: [],
      by_type: [],
      recent_xid_errors: [],
      health: { status: gpu.health, reasons },
    },
    xid: { errors_24h: 0, trend_7d: 'flat', last_code: null },
    telemetry: {
      utilization_pct: 50,
      memory_used_gb: 40,
      memory_total_gb: 80,
      temperature_c: 60,
      power_draw_w: 400,
      power_limit_w: 700,
      fan_pct: null,
      history: none,
    },
    processes: [],
    utilization: {
      busy_seconds_24h: 0,
      idle_seconds_24h: 0,
      usage_categories: [],
      analyzed_event_count: 0,
      process_families: [],
      hardware: {
        tensor_active_pct: null,
        dram_active_pct: null,
        pcie_tx_mb_per_second: null,
        pcie_rx_mb_per_second: null,
        memory_temperature_c: null,
        remapped_rows_total: null,
        energy_total_kwh: null,
      },
    },
    last_refreshed_at: gpu.last_seen,
    ...fields,
  } as GpuDetail;
}

/** The responses of fleet-api about a few GPUs, with an entity tag that changes as that of the service does. */
export class FakeFleet {
  gpus: Gpu[] = [];
  details = new Map<string, GpuDetail>();
  /** Time of the newest import. */
  dataAsOf = minutesAgo(0);
  /** Path, without `/api/v1/`, and response of each request that does not succeed; null for one without a response. */
  failures = new Map<string, number | null>();
  /** Paths with queries, in order. */
  requests: string[] = [];
  private version = 1;

  /** Changes data as an import of samples does, or as time does. */
  change(change: () => void, { isImport }: { isImport: boolean }): void {
    change();
    this.version += 1;
    if (isImport) this.dataAsOf = new Date().toISOString();
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const path = decodeURIComponent(pathname.replace('/api/v1/', ''));
    this.requests.push(path + search);
    for (const [failing, status] of this.failures) {
      if (!path.startsWith(failing)) continue;
      if (status === null) return new Promise(() => undefined);
      return Response.json({ error: 'upstream_error', message: 'The database is away.' }, { status });
    }
    // Imports of samples change nothing about alerts.
    const etag = path.startsWith('alerts') ? '"alerts"' : `W/"${this.version}"`;
    const headers = { etag, 'x-data-as-of': this.dataAsOf };
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
    return Response.json(this.bodyOf(path), { headers });
  };

  /** Describes a GPU by the reasons of its detail. */
  private statusOf({ utilization_pct, temperature_c, ...gpu }: Gpu): GpuStatus {
    const [reason] = this.details.get(gpu.gpu_id)?.security_diagnostics.health.reasons ?? [];
    const unknown = { memory_used_gb: null, memory_total_gb: null, power_draw_w: null, power_limit_w: null };
    return {
      ...gpu,
      since: reason?.since ?? gpu.last_seen,
      reason: reason === undefined ? null : { ...reason, evidence_at: reason.since, action: 'Do something.' },
      latest: { utilization_pct, temperature_c, ...unknown },
      mean: { utilization_pct, temperature_c },
      idle: false,
    };
  }

  private bodyOf(path: string): object {
    if (path === 'gpus') return { gpus: this.gpus };
    if (path === 'metrics') {
      const metrics: Partial<FleetMetrics> = {
        metrics_charts: {},
        metrics_summary: {} as FleetMetrics['metrics_summary'],
        alerts_by_severity: [],
        asset_coverage: [],
      };
      return { metrics };
    }
    if (path === 'alerts') return { alerts: [], total_size: 0 };
    if (path === 'gpu-status')
      return {
        gpus: this.gpus.filter(({ health }) => health !== 'healthy').map((gpu) => this.statusOf(gpu)),
      };
    if (path.startsWith('gpu-history/')) return historyOf(path.replace('gpu-history/', ''));
    if (path === 'alerts:summary') return { summary: { severity: [], type: [], state: [] } };
    if (path === 'alerts:severityTrend') return { points: [] };
    const gpu = this.details.get(path.replace('gpus/', ''));
    if (gpu === undefined) throw new Error(`The fake fleet has no ${path}.`);
    return { gpu };
  }
}

/** A GPU without readings and jobs in a window. */
function historyOf(id: string): GpuHistory {
  const none = { at: [], utilization_pct: [], memory_used_gb: [], temperature_c: [], power_draw_w: [] };
  return {
    gpu_id: id,
    from: minutesAgo(1_440),
    to: minutesAgo(0),
    step_seconds: 300,
    readings: none,
    jobs: [],
  };
}

/** The responses of account-service to a user with one workspace. */
export async function accountFetch(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/me')) return Response.json({ user: { name: 'Ada', email: 'ada@acme.example' } });
  if (pathname.endsWith('/workspaces')) return Response.json({ workspaces: [] });
  throw new Error(`The fake account service has no ${pathname}.`);
}
