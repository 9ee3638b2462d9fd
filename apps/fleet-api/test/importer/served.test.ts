import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access, AlertDetail, AlertListItem, TimelineEvent } from '@gpu-observatory/domain-types';
import type { GpuDetailModel } from '../../src/api/gpus/gpu-detail.models.ts';
import { XidCatalog } from '../../src/model/health/xid-catalog.ts';
import { FalcoRules } from '../../src/importer/formats/falco/falco-rules.ts';
import { DCGM_FORMAT } from '../../src/importer/formats/dcgm/dcgm-format.ts';
import { importExporterPage } from '../../src/importer/formats/exporters/import-page.ts';
import { importFalco } from '../../src/importer/formats/falco/import-falco.ts';
import { importXid } from '../../src/importer/formats/xid/import-xid.ts';
import { bodyOf } from '../support/responses.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { importText } from '../support/import-records.ts';
import { minutesAgo } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: [10] }];
const GPU = 'node-1|00000000:9B:00.0|';

let fleet: FleetService;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xid-table-'));
  const xidTable = join(folder, 'xids.yaml');
  writeFileSync(xidTable, 'xids: { 79: { action: call us } }');
  fleet = await startFleetService({ environment: { XID_TABLE_FILE: xidTable } });
  const { importerUrl } = fleet.database;
  const falco = [
    { rule: 'Terminal shell in container', priority: 'Notice', time: minutesAgo(3), output: 'a shell' },
    {
      rule: 'Drop and execute new binary in container',
      priority: 'Critical',
      time: minutesAgo(2),
      hostname: 'node-1',
      output_fields: { 'proc.name': 'xmrig', 'container.id': 'abc', 'k8s.pod.name': 'train-1' },
    },
  ];
  await importText(importerUrl, falco.map((event) => JSON.stringify(event)).join('\n'), (job) =>
    importFalco(job, { customerId: 1, host: null, rules: FalcoRules.read() }),
  );
  await importText(
    importerUrl,
    `${minutesAgo(1).replace('Z', '+00:00')} node-1 kernel: NVRM: Xid (PCI:0000:9b:00): 79, pid=7, name=python, lost`,
    (job) => importXid(job, { customerId: 1, host: null, bootTimeMs: null, utcOffsetMinutes: 0 }),
    { xids: XidCatalog.read(xidTable) },
  );
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await fleet.stop();
});

test('serves alerts of Falco and of kernel logs, each with its timeline', async () => {
  const { alerts } = await bodyOf<{ alerts: AlertListItem[] }>(
    await fleet.get('/api/v1/alerts/', ACCESS),
    'listAlerts',
  );
  expect(alerts.map(({ title, type, severity }) => [title, type, severity])).toEqual([
    ['XID 79: GPU has fallen off the bus', 'gpu_pcie', 'critical'],
    ['Drop and execute new binary in container', 'unknown_binary_exec', 'critical'],
    ['Terminal shell in container', 'process_anomaly', 'low'],
  ]);
  for (const { id, title } of alerts) {
    const { alert } = await bodyOf<{ alert: AlertDetail }>(
      await fleet.get(`/api/v1/alerts/${id}`, ACCESS),
      'getAlert',
    );
    expect(Object.keys(alert.resource_details)).toHaveLength(6);
    expect(alert.title).toBe(title);
    const { timeline_events } = await bodyOf<{ timeline_events: TimelineEvent[] }>(
      await fleet.get(`/api/v1/alerts/${id}/timeline`, ACCESS),
      'listTimelineEvents',
    );
    expect(timeline_events).toHaveLength(1);
  }
});

test('serves a GPU known only from a kernel log, with the operator’s XID entry', async () => {
  const { gpu } = await bodyOf<{ gpu: GpuDetailModel }>(
    await fleet.get(`/api/v1/gpus/${encodeURIComponent(GPU)}`, ACCESS),
    'getGpu',
  );
  expect(gpu).toMatchObject({ health: 'critical', xid: { errors_24h: 1, last_code: 79 } });
  expect(gpu.security_diagnostics.recent_xid_errors).toEqual([
    expect.objectContaining({ code: 79, name: 'GPU has fallen off the bus', action: 'call us' }),
  ]);
  expect(gpu.security_diagnostics.health.reasons).toEqual([
    expect.objectContaining({
      rule: 'critical_xid',
      evidence: 'XID 79: GPU has fallen off the bus (call us)',
    }),
  ]);
});

test('serves the faults of a collector’s log: the number of XID 154 decides, and a lost GPU is one event', async () => {
  const access: Access = [{ customer_id: 3, workspace_ids: [10] }];
  const entry = (minutes: number, message: string) =>
    JSON.stringify({ host: 'node-3', message, source_type: 'journald', timestamp: minutesAgo(minutes) });
  const lines = [
    entry(5, 'NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.'),
    entry(5, 'NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.'),
    entry(
      4,
      'NVRM: Xid (PCI:0000:9b:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (OS Reboot)',
    ),
  ];
  await importText(
    fleet.database.importerUrl,
    lines.join('\n'),
    (job) => importXid(job, { customerId: 3, host: null, bootTimeMs: null, utcOffsetMinutes: 0 }),
    { customerId: 3, workspaceId: 10 },
  );
  const id = encodeURIComponent('node-3|00000000:9B:00.0|');
  const { gpu } = await bodyOf<{ gpu: GpuDetailModel }>(
    await fleet.get(`/api/v1/gpus/${id}`, access),
    'getGpu',
  );
  expect(gpu).toMatchObject({ health: 'critical', xid: { errors_24h: 2 } });
  expect(gpu.security_diagnostics.recent_xid_errors).toEqual([
    expect.objectContaining({
      code: 154,
      name: 'GPU Recovery Action Changed: OS Reboot',
      action: 'restart host',
    }),
    expect.objectContaining({ code: 79, count: 1 }),
  ]);
  const { alerts } = await bodyOf<{ alerts: AlertListItem[] }>(
    await fleet.get('/api/v1/alerts/', access),
    'listAlerts',
  );
  expect(alerts.map(({ title, severity }) => [title, severity])).toEqual([
    ['XID 154: GPU Recovery Action Changed: OS Reboot', 'critical'],
    ['XID 79: GPU has fallen off the bus', 'critical'],
  ]);
});

test('serves each value of the default counter set of dcgm-exporter', async () => {
  const access: Access = [{ customer_id: 2, workspace_ids: [10] }];
  const uuid = 'GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52';
  // Labels and forms of numbers differ between versions: spaces after commas, exponents, timestamps.
  const labels =
    `{gpu="0", UUID="${uuid}",pci_bus_id="00000000:53:00.0",device="nvidia0",modelName="NVIDIA L4",` +
    `Hostname="node-9",DCGM_FI_DRIVER_VERSION="580.105.08",container="main",namespace="research",pod="llama-0"}`;
  const values = {
    DEV_SM_CLOCK: '2040',
    DEV_MEM_CLOCK: '6251',
    DEV_MEMORY_TEMP: '0',
    DEV_GPU_TEMP: '34',
    DEV_POWER_USAGE: '28.071000',
    DEV_TOTAL_ENERGY_CONSUMPTION: '74881269921',
    DEV_PCIE_REPLAY_COUNTER: '0',
    DEV_GPU_UTIL: '42',
    DEV_MEM_COPY_UTIL: '3',
    DEV_ENC_UTIL: '0',
    DEV_DEC_UTIL: '0',
    DEV_XID_ERRORS: '31',
    DEV_FB_FREE: '21898',
    DEV_FB_USED: '674',
    DEV_FB_RESERVED: '462',
    DEV_NVLINK_BANDWIDTH_TOTAL: '0',
    DEV_VGPU_LICENSE_STATUS: '0',
    DEV_UNCORRECTABLE_REMAPPED_ROWS: '0',
    DEV_CORRECTABLE_REMAPPED_ROWS: '0',
    DEV_ROW_REMAP_FAILURE: '0',
    PROF_GR_ENGINE_ACTIVE: '0.412345',
    PROF_PIPE_TENSOR_ACTIVE: '0.125',
    PROF_DRAM_ACTIVE: '5.000000e-02',
    PROF_PCIE_TX_BYTES: '4096000',
    PROF_PCIE_RX_BYTES: '1.25e+09',
  };
  const page = Object.entries(values).map(
    ([name, value]) =>
      `# HELP DCGM_FI_${name} a reading\n# TYPE DCGM_FI_${name} gauge\nDCGM_FI_${name}${labels} ${value}`,
  );
  const at = new Date(Date.now() - 60_000);
  const imported = await importText(
    fleet.database.importerUrl,
    page.join('\n'),
    (job) => importExporterPage(job, { customerId: 2, workspaceId: 10, at, format: DCGM_FORMAT }),
    { customerId: 2, workspaceId: 10, apiKeyId: null },
  );
  expect(imported).toMatchObject({ written: 3, rejects: [], skipped: 7 });

  const { gpu } = await bodyOf<{ gpu: GpuDetailModel }>(
    await fleet.get(`/api/v1/gpus/${uuid}`, access),
    'getGpu',
  );
  expect(gpu).toMatchObject({
    xid: { errors_24h: 1, last_code: 31 },
    telemetry: {
      utilization_pct: 42,
      memory_used_gb: 0.658,
      memory_total_gb: 22.494,
      temperature_c: 34,
      power_draw_w: 28.071,
      power_limit_w: null,
      fan_pct: null,
    },
    processes: [{ pid: '', name: 'llama-0' }],
    utilization: {
      hardware: {
        tensor_active_pct: 12.5,
        dram_active_pct: 5,
        pcie_tx_mb_per_second: 4.096,
        pcie_rx_mb_per_second: 1250,
        memory_temperature_c: null,
        remapped_rows_total: 0,
        energy_total_kwh: 20.8004,
      },
    },
  });
  const { metrics } = await bodyOf<{ metrics: { metrics_summary: object } }>(
    await fleet.get('/api/v1/metrics', access),
    'getMetrics',
  );
  expect(metrics.metrics_summary).toMatchObject({
    gpu_count: 1,
    avg_gpu_utilization: 42,
    avg_gpu_memory: 2.9261,
    avg_clock_speed: 2040,
    avg_memory_temperature_c: null,
    avg_tensor_active_pct: 12.5,
    avg_dram_active_pct: 5,
    avg_pcie_tx_mb_per_second: 4.096,
    avg_pcie_rx_mb_per_second: 1250,
    total_energy_kwh: null,
    total_xid_errors: 1,
  });
});
