import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Access,
  AlertDetail,
  AlertListItem,
  GpuDetail,
  TimelineEvent,
} from '@gpu-observatory/domain-types';
import { overrideXids } from '../../src/model/health/xid-catalog.ts';
import { FalcoRules } from '../../src/importer/formats/falco/falco-rules.ts';
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
  writeFileSync(join(folder, 'xids.yaml'), 'xids: { 79: { action: call us } }');
  fleet = await startFleetService({ environment: { XID_TABLE_FILE: join(folder, 'xids.yaml') } });
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
    importFalco(job, 1, FalcoRules.read()),
  );
  await importText(
    importerUrl,
    `${minutesAgo(1).replace('Z', '+00:00')} node-1 kernel: NVRM: Xid (PCI:0000:9b:00): 79, pid=7, name=python, lost`,
    (job) => importXid(job, { customerId: 1, host: null, bootTimeMs: null, utcOffsetMinutes: 0 }),
  );
});

afterAll(async () => {
  overrideXids(undefined);
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
  const { gpu } = await bodyOf<{ gpu: GpuDetail }>(
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
