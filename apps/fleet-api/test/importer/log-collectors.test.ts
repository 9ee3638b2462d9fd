import { FalcoRules } from '../../src/importer/formats/falco/falco-rules.ts';
import { importFalco } from '../../src/importer/formats/falco/import-falco.ts';
import { importXid } from '../../src/importer/formats/xid/import-xid.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importText } from '../support/import-records.ts';

const database = useFleetDatabase();

const AT_MS = Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000;
const AT = new Date(AT_MS).toISOString();
const US = `${AT_MS}500`;
const NODE = 'gpu-node-1';

/** What collectors write for a message of the host NODE at AT_MS, as text or in lines of pretty-printed JSON. */
const SHAPES: [collector: string, entry: object, indent?: number | string][] = [
  ['journalctl -o json', { __REALTIME_TIMESTAMP: US, _HOSTNAME: NODE, MESSAGE: '' }],
  ['journalctl -o json-pretty', { __REALTIME_TIMESTAMP: US, _HOSTNAME: NODE, MESSAGE: '' }, '\t'],
  [
    'the journald source of Vector',
    {
      PRIORITY: '3',
      __REALTIME_TIMESTAMP: US,
      host: NODE,
      message: '',
      source_type: 'journald',
      timestamp: AT,
    },
  ],
  [
    'the syslog source of Vector',
    {
      appname: 'kernel',
      facility: 'kern',
      hostname: NODE,
      message: '',
      source_type: 'syslog',
      timestamp: AT,
    },
  ],
  [
    'the kubernetes_logs source of Vector',
    {
      file: '/var/log/pods/x',
      kubernetes: { pod_node_name: NODE },
      message: '',
      host: 'vector-x2x7p',
      timestamp: AT,
    },
  ],
  [
    'the systemd input of Fluent Bit',
    { date: AT_MS / 1_000, _TRANSPORT: 'kernel', _HOSTNAME: NODE, MESSAGE: '' },
  ],
  ['the systemd input of Fluent Bit, in lower case', { date: AT_MS / 1_000, hostname: NODE, message: '' }],
  [
    'the tail input of Fluent Bit',
    { date: AT, stream: 'stdout', logtag: 'F', log: '', kubernetes: { pod_name: 'p', host: NODE } },
  ],
  [
    'Filebeat',
    {
      '@timestamp': AT,
      message: '',
      host: { name: 'beat-pod', hostname: NODE },
      syslog: { identifier: 'kernel' },
    },
  ],
  [
    'Filebeat, with the Kubernetes node',
    { '@timestamp': AT, host: { name: 'beat' }, kubernetes: { node: { name: NODE } }, message: '' },
  ],
  ['Logstash', { '@timestamp': AT, '@version': '1', event: { original: '' }, host: { name: NODE } }],
  [
    'Cloud Logging, jsonPayload',
    {
      insertId: 'a',
      jsonPayload: { MESSAGE: '', SYSLOG_IDENTIFIER: 'kernel' },
      resource: { type: 'k8s_node', labels: { node_name: NODE } },
      timestamp: `${AT.slice(0, -1)}456789Z`,
      receiveTimestamp: AT,
    },
  ],
  ['gcloud logging read', { resource: { labels: { node_name: NODE } }, textPayload: '', timestamp: AT }, 2],
  [
    'the health agent of HyperPod',
    {
      level: 'info',
      ts: 'x',
      msg: 'NPD caught event: %v',
      host: NODE,
      'details: ': { timestamp: AT, message: '' },
    },
  ],
  [
    'Cloud Logging of a container',
    {
      jsonPayload: { message: '' },
      labels: { 'compute.googleapis.com/resource_name': NODE },
      resource: { type: 'k8s_container', labels: { pod_name: 'p' } },
      timestamp: AT,
    },
  ],
  ['an event of Kubernetes', { kind: 'Event', message: '', source: { host: NODE }, lastTimestamp: AT }],
  ['logcli', { labels: { hostname: NODE, job: 'journal' }, line: '', timestamp: AT }],
  [
    'the file exporter of the OpenTelemetry collector',
    {
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'k8s.node.name', value: { stringValue: NODE } }] },
          scopeLogs: [{ scope: {}, logRecords: [{ timeUnixNano: `${US}000`, body: { stringValue: '' } }] }],
        },
      ],
    },
  ],
];

/** Returns the entry with the message instead of its empty text. */
const withMessage = (entry: object, message: string, indent?: number | string) =>
  JSON.stringify(entry, (_key, value: unknown) => (value === '' ? message : value), indent);

let customers = 0;
const importKernelLog = (customerId: number, text: string, host: string | null = null) =>
  importText(
    database.importerUrl,
    text,
    (job) => importXid(job, { customerId, host, bootTimeMs: null, utcOffsetMinutes: 0 }),
    { customerId, workspaceId: 10, apiKeyId: null },
  );
const importAlerts = (customerId: number, text: string, host: string | null = null) =>
  importText(
    database.importerUrl,
    text,
    (job) => importFalco(job, { customerId, host, rules: FalcoRules.read() }),
    { customerId, workspaceId: 10, apiKeyId: null },
  );
const alertsOf = (customer: number) =>
  rowsOf<{ title: string; hostname: string; at: Date }>(
    database.administratorUrl,
    'SELECT title, hostname, created_at AS at FROM fleet.alerts WHERE customer_id = $1',
    [customer],
  );

describe.each(SHAPES)('%s', (_collector, entry, indent) => {
  test('an XID is read with its host and time', async () => {
    const customer = (customers += 1);
    const text = withMessage(
      entry,
      'NVRM: Xid (PCI:0000:9b:00): 79, pid=7, name=x, GPU has fallen off the bus.',
      indent,
    );
    const other = withMessage(entry, 'usb 1-2: New USB device found', indent);
    expect(await importKernelLog(customer, `${other}\n${text}\n`)).toMatchObject({ written: 2, rejects: [] });
    const [alert] = await alertsOf(customer);
    expect(alert).toMatchObject({ title: 'XID 79: GPU has fallen off the bus', hostname: NODE });
    expect(Math.floor((alert?.at.getTime() ?? 0) / 1_000) * 1_000).toBe(AT_MS);
  });

  test('an alert of Falco is read with the host around it', async () => {
    const customer = (customers += 1);
    const event = {
      rule: 'Ours',
      priority: 'Notice',
      time: AT,
      output: 'a shell',
      output_fields: { 'proc.name': 'sh' },
    };
    const text = withMessage(entry, JSON.stringify(event), indent);
    expect(await importAlerts(customer, text)).toMatchObject({ written: 2, rejects: [] });
    expect(await alertsOf(customer)).toEqual([{ title: 'Ours', hostname: NODE, at: new Date(AT_MS) }]);
  });
});

test.each<[title: string, line: string, reason: RegExp]>([
  ['an XID in other words', '{"message":"Xid 79 on GPU 3","host":"a","ts":"x"}', /not a line of the driver/],
  ['a reason alone', '{"reason":"XidHardwareFailure","host":"a"}', /not a line of the driver/],
  ['a lost GPU in other words', '{"message":"GPU 3 has fallen off the bus"}', /no PCI address of a GPU/],
  ['JSON that is cut', '{"message":"NVRM: Xid (PCI:0000:9b:00): 79, it failed', /has no time/],
  ['no time', '{"host":"a","message":"NVRM: Xid (PCI:0000:9b:00): 79, it failed"}', /has no time/],
  [
    'no host',
    `{"ts":"${AT}","message":"NVRM: Xid (PCI:0000:9b:00): 79, it failed"}`,
    /has no host: set --host/,
  ],
  ['Fluent Bit on stdout', '[0] k: [[1.5, {}], {"msg"=>"NVRM: Xid (PCI:0000:9b:00): 79, x"}]', /has no time/],
])('an XID that cannot be read is rejected: %s', async (_title, line, reason) => {
  expect(await importKernelLog(90, line)).toMatchObject({
    written: 0,
    skipped: 0,
    rejects: [{ reason: expect.stringMatching(reason) }],
  });
});

test('XIDs whose lines a collector has joined are an event each', async () => {
  const message = ['9b', '9c'].map((bus) => `NVRM: Xid (PCI:0000:${bus}:00): 79, it failed`).join('\n');
  const entry = JSON.stringify({ ts: AT, host: NODE, message });
  expect(await importKernelLog(93, entry)).toMatchObject({ written: 4, rejects: [] });
  expect(await alertsOf(93)).toHaveLength(2);
});

test('JSON without an XID is skipped', async () => {
  const lines = ['{"message":"usb","ts":"x"}', '{"MESSAGE":[117,115,98]}', '[]', '{'];
  expect(await importKernelLog(91, `${lines.join('\n')}\n}\n`)).toMatchObject({ skipped: 5, rejected: 0 });
});

test('the log of the fabric manager becomes alerts of its host', async () => {
  const at = new Date(AT_MS).toUTCString();
  const [, day, month, year, clock] = /, (\d+) (\w+) (\d+) (\S+)/.exec(at) ?? [];
  const line = (text: string) => `[${month} ${day} ${year} ${clock}] [ERROR] [tid 2731] ${text}`;
  const log = [
    line(
      'detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci bus id 00000000:05:00.0 physical id 8 port 48',
    ),
    line('failed to find the GPU handle 9173474 in the multicast team request setup'),
  ].join('\n');
  expect(await importKernelLog(92, log, NODE)).toMatchObject({ written: 2, skipped: 1, rejected: 0 });
  expect(await alertsOf(92)).toEqual([
    { title: 'NVSwitch SXid 20034: fatal', hostname: NODE, at: new Date(AT_MS) },
  ]);
});
