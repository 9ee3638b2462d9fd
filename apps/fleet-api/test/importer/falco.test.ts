import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { readFalcoEvent } from '../../src/importer/formats/falco/falco-event.ts';
import { FalcoRules } from '../../src/importer/formats/falco/falco-rules.ts';
import { importFalco } from '../../src/importer/formats/falco/import-falco.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importText } from '../support/import-records.ts';
import { minutesAgo } from '../support/records.ts';

const database = useFleetDatabase();

const shipped = FalcoRules.read();
const importAlerts = (lines: unknown[], rules = shipped, customerId = 1) =>
  importText(
    database.importerUrl,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    (job) => importFalco(job, { customerId, host: null, rules }),
    { customerId, workspaceId: 10, apiKeyId: null },
  );

const at = minutesAgo(5).replace('Z', '456789Z');
/** As Falco 0.41 writes it, with the fields of a rule's output and those that every rule may have. */
const shell = {
  hostname: 'node-1',
  output: `${at}: Notice A shell was spawned in a container with an attached terminal`,
  priority: 'Notice',
  rule: 'Terminal shell in container',
  source: 'syscall',
  tags: ['container', 'mitre_execution', 'shell'],
  time: at,
  output_fields: {
    'container.id': '5892b41bcf46',
    'container.image.repository': 'docker.io/library/alpine',
    'container.name': null,
    'evt.time': 1_763_712_000_000_000_000,
    'evt.type': 'execve',
    'k8s.ns.name': 'default',
    'k8s.pod.name': '<NA>',
    'proc.cmdline': 'sh -c uptime',
    'proc.cwd': '/root/',
    'proc.exepath': '/bin/busybox',
    'proc.name': 'sh',
    'proc.pid': 4711,
    'proc.pid.ts': Date.parse(minutesAgo(7)) * 1e6,
    'proc.pname': 'runc',
    'proc.ppid': 4700,
    'thread.tid': 4712,
  },
};
const bare = { rule: 'Ours', priority: 'Warning', time: minutesAgo(6) };

let wrappedCustomer = 100;
let hostCustomer = 200;
test.each<[string, (json: string) => string]>([
  ['kubectl logs --timestamps', (json) => `${at} ${json}`],
  ['kubectl logs --prefix --timestamps', (json) => `[pod/falco-x/falco] ${at} ${json}`],
  ['CRI', (json) => `${at} stdout F ${json}`],
  ['docker', (json) => JSON.stringify({ log: `${json}\n`, stream: 'stdout', time: at })],
  ['syslog (RFC 3164)', (json) => `<13>Nov 21 06:24:18 node-1 falco[811]: ${json}`],
  ['syslog (RFC 5424)', (json) => `<13>1 ${at} node-1 falco 811 - - ${json}`],
  ['an rsyslog file', (json) => `${at} node-1 falco: ${json}`],
  ['CRI in parts', (json) => `${at} stdout P ${json.slice(0, 60)}\n${at} stdout F ${json.slice(60)}`],
])('unwraps %s', async (_wrapper, wrap) => {
  const customer = (wrappedCustomer += 1);
  const lines = [wrap(JSON.stringify(shell)), JSON.stringify(shell)];
  // The same event with and without a wrapper is the same alert.
  expect(await importAlerts(lines, shipped, customer)).toMatchObject({
    written: 2,
    duplicate: 2,
    rejected: 0,
  });
});

test('converts an event to an alert with sections and a timeline event', async () => {
  expect(await importAlerts([shell])).toMatchObject({ written: 2, duplicate: 0, rejected: 0 });
  const [alert] = await rowsOf(
    database.administratorUrl,
    `SELECT title, description, type, severity, created_at, hostname, workspace_id, resource_details
     FROM fleet.alerts JOIN fleet.alert_details USING (customer_id, created_at) WHERE customer_id = 1`,
  );
  const { resource_details, ...item } = alert as { resource_details: string };
  expect(item).toEqual({
    title: 'Terminal shell in container',
    description: shell.output,
    type: 'process_anomaly',
    severity: SEVERITIES.indexOf('low'),
    created_at: new Date(at),
    hostname: 'node-1',
    workspace_id: 10,
  });
  expect(JSON.parse(resource_details)).toEqual({
    process_details: {
      title: '/bin/busybox',
      process_name: 'sh',
      pid: 4711,
      start_time: expect.stringMatching(/^\d{4}-.*Z$/),
      current_status: '',
      last_modified: '',
      parent_process_pid: 4700,
      command_line: 'sh -c uptime',
    },
    container_details: { id: '5892b41bcf46', image_repository: 'docker.io/library/alpine' },
    workload_details: { ns_name: 'default' },
    gpu_details: null,
    memory_details: null,
    node_details: expect.objectContaining({ node_id: 'node-1' }),
  });
  const [event] = await rowsOf<{ doc: string }>(
    database.administratorUrl,
    'SELECT doc FROM fleet.alert_timeline_events WHERE customer_id = 1',
  );
  expect(JSON.parse(event?.doc ?? '')).toEqual({
    ts: new Date(at).toISOString(),
    pid: 4711,
    tid: 4712,
    event_type: 'execve',
    event_info: `${shell.output} (proc.pname=runc)`,
    comm: 'sh',
    command_line: 'sh -c uptime',
    pwd: '/root/',
  });
});

test('importing an event again changes nothing, also with reordered fields; another nanosecond is another alert', async () => {
  const lines = [shell, bare, { ...shell, rule: 'Run shell untrusted' }];
  await importAlerts(lines, shipped, 2);
  const before = await fleetTables(database.administratorUrl);
  const turned = lines.map((line) => Object.fromEntries(Object.entries(line).reverse()));
  expect(await importAlerts(turned, shipped, 2)).toMatchObject({ written: 0, duplicate: 6, rejected: 0 });
  expect(await fleetTables(database.administratorUrl)).toEqual(before);
  const later = { ...shell, time: at.replace('9Z', '8Z') };
  expect(await importAlerts([later], shipped, 2)).toMatchObject({ written: 2 });
});

test('rejects lines that are not alerts with a reason, and imports the others', async () => {
  const lines: [unknown, RegExp][] = [
    ['{"rule":', /^not JSON: /],
    ['[1]', /^not a JSON object/],
    ['Wed May 10 14:09:17 2023: Falco version: 0.34.1 (x86_64)', /^not JSON: /],
    [{ ...bare, rule: undefined }, /^not a Falco alert: rule is missing/],
    [{ ...bare, priority: 4 }, /^not a Falco alert: priority must be a non-empty string$/],
    [{ ...bare, priority: 'Loud' }, /^priority must be one of emergency, alert, critical, .*, got Loud$/],
    [{ ...bare, time: '2021-04-13T20:58:00.746609046Z+2' }, /^time must be an RFC 3339 time/],
    [{ ...bare, time: '2019-05-17T15:31:56Z' }, /older than the 13 months/],
    [{ ...bare, hostname: 'h'.repeat(300) }, /^hostname must NOT have more than 255/],
    [{ ...bare, output: 'a\0b' }, /NUL character/],
    [{ ...bare, rule: 'Falco internal: metrics snapshot' }, /the rule table maps .* to no alert/],
    [{ process_exec: { process: { pid: 1 } }, node_name: 'n' }, /^not a Falco alert: an event of Tetragon, /],
    [{ timestamp: 1, eventName: 'openat', processName: 'bash' }, /^not a Falco alert: an event of Tracee, /],
  ];
  const { rejects, written } = await importAlerts([...lines.map(([line]) => line), '', bare], shipped, 3);
  expect(rejects.map(({ line, reason }) => [line, reason])).toEqual(
    lines.map(([, reason], index) => [index + 1, expect.stringMatching(reason)]),
  );
  expect(written).toBe(2);
});

test.each([
  ['Nov 21 06:24:18 node-1 kernel: NVRM: loading', 'a kernel log: use the adapter xid'],
  ['{"_TRANSPORT":"kernel","MESSAGE":"usb"}', 'a kernel log: use the adapter xid'],
  ['<?xml version="1.0" ?>', 'XML of nvidia-smi: use the adapter nvidia-smi'],
  ['DCGM_FI_DEV_GPU_TEMP{gpu="0"} 40', 'the page of dcgm-exporter: use the adapter dcgm'],
])('input of another adapter fails the import: %s', async (line, reason) => {
  await expect(importAlerts([line])).rejects.toThrow(`the log looks like ${reason}.`);
  // A mixed log is read.
  expect(await importAlerts([line, { ...bare, time: minutesAgo(7) }, ''], shipped, 32)).toMatchObject({
    rejects: [{ line: 1 }],
  });
});

test('any event becomes an alert or is rejected with a reason', async () => {
  const value = fc.oneof(
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.constant(null),
    fc.constant('x'.repeat(30_000)),
  );
  const names = [
    'proc.pid',
    'proc.ppid',
    'proc.name',
    'proc.cmdline',
    'proc.cwd',
    'proc.pid.ts',
    'thread.tid',
    'evt.type',
    'container.id',
    'container.__proto__',
    'k8s.pod.name',
    'ka.a[b]',
    'evt.hostname',
  ];
  const event = fc.record(
    {
      rule: fc.oneof(fc.string({ minLength: 1 }), fc.constant('r'.repeat(5_000))),
      priority: fc.constantFrom('Debug', 'Emergency'),
      time: fc.constantFrom(
        minutesAgo(9),
        '2026-06-30T23:59:60Z',
        '2026-11-20t08:00:00z',
        '2026-11-20T08:00:00+14:00',
      ),
      output: value,
      output_fields: fc.oneof(fc.dictionary(fc.constantFrom(...names), value), value),
      tags: fc.oneof(fc.array(value, { maxLength: 3 }), value),
      hostname: value,
    },
    { requiredKeys: ['rule', 'priority', 'time'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 20 }), async (events) => {
      const { written, duplicate, rejected, rejects } = await importAlerts(events, shipped, 9);
      expect((written + duplicate) / 2 + rejected).toBe(events.length);
      expect(rejects.every(({ reason }) => reason !== '')).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test('the workload of an alert comes from k8s, k8smeta and ka fields', async () => {
  const customer = 31;
  const events = [
    { 'k8s.pod.name': 'p', 'k8smeta.pod.name': 'other', 'k8smeta.deployment.name': 'd', 'ka.verb': 'get' },
    { 'k8s.pod.name': '<NA>', 'k8smeta.pod.name': 'p', 'k8smeta.pod.label[app.kubernetes.io/name]': 'web' },
    { 'k8smeta.pod.name': null, 'ka.target.name': 't', 'ka.uri.param[command]': 'cat' },
    { 'container.id': 'c' },
  ].map((output_fields, n) => ({ ...bare, time: minutesAgo(20 + n), output_fields }));
  await importAlerts(events, shipped, customer);
  const stored = await rowsOf<{ workload: unknown }>(
    database.administratorUrl,
    `SELECT (resource_details::jsonb) -> 'workload_details' AS workload FROM fleet.alert_details WHERE customer_id = $1
     ORDER BY created_at DESC`,
    [customer],
  );
  expect(stored.map(({ workload }) => workload)).toEqual([
    { pod_name: 'p', deployment_name: 'd' },
    { pod_name: 'p', pod_label_app_kubernetes_io_name: 'web' },
    { target_name: 't', uri_param_command: 'cat' },
    null,
  ]);
});

test('fields without a section are on the timeline, and describe an event without output', async () => {
  const fields = {
    'ct.name': 'AuthorizeSecurityGroupIngress',
    'ct.user': 'ada',
    'ct.request.name': null,
    'ct.error': '<NA>',
    'evt.time': 1,
    'ka.verb': 'get',
  };
  const events = [
    { ...bare, time: minutesAgo(30), output: 'drift', source: 'aws_cloudtrail', output_fields: fields },
    { ...bare, time: minutesAgo(31), output_fields: { 'fd.name': '10.0.0.1:53', 'proc.name': 'dig' } },
    {
      ...bare,
      time: minutesAgo(32),
      output_fields: { 'k8s.pod.name': 'p', 'ka.verb': 'get', 'evt.args': [1] },
    },
    { ...bare, time: minutesAgo(33) },
  ];
  await importAlerts(events, shipped, 33);
  const stored = await rowsOf<{ type: string; description: string; info: string }>(
    database.administratorUrl,
    `SELECT a.type, a.doc::json ->> 'description' AS description, e.doc::json ->> 'event_info' AS info
     FROM fleet.alerts a JOIN fleet.alert_timeline_events e ON e.customer_id = a.customer_id AND e.alert_id = a.id
     WHERE a.customer_id = 33 ORDER BY a.created_at DESC`,
  );
  expect(stored).toEqual([
    {
      type: 'controlplane_integrity',
      description: 'drift',
      info: 'drift (ct.name=AuthorizeSecurityGroupIngress ct.user=ada)',
    },
    {
      type: 'process_anomaly',
      description: 'fd.name=10.0.0.1:53 proc.name=dig',
      info: 'Ours (fd.name=10.0.0.1:53)',
    },
    {
      type: 'process_anomaly',
      description: 'k8s.pod.name=p ka.verb=get evt.args=[1]',
      info: 'Ours (ka.verb=get evt.args=[1])',
    },
    { type: 'process_anomaly', description: '', info: 'Ours' },
  ]);
});

test.each<[title: string, host: string | null, event: object, expected: string | null]>([
  ['of the option', 'node-9', { hostname: 'falco-t5qqr', output_fields: { 'k8s.node.name': 'n' } }, 'node-9'],
  ['in k8s.node.name', null, { hostname: 'falco-t5qqr', output_fields: { 'k8s.node.name': 'n' } }, 'n'],
  ['that the collector added', null, { hostname: 'falco-t5qqr', kubernetes: { host: 'node-2' } }, 'node-2'],
  ['in hostname', null, { hostname: 'node-1', output_fields: { 'evt.hostname': 'x' } }, 'node-1'],
  ['in evt.hostname', null, { output_fields: { 'evt.hostname': 'x' } }, 'x'],
  ['nowhere', null, {}, null],
])('the host is that %s', async (_title, host, event, expected) => {
  const customer = (hostCustomer += 1);
  const line = JSON.stringify({ ...bare, ...event });
  await importText(
    database.importerUrl,
    line,
    (job) => importFalco(job, { customerId: customer, host, rules: shipped }),
    { customerId: customer, workspaceId: 10, apiKeyId: null },
  );
  // The id does not depend on the option.
  expect(await importAlerts([line], shipped, customer)).toMatchObject(
    host === null ? { duplicate: 2 } : { duplicate: 1 },
  );
  expect(
    await rowsOf(database.administratorUrl, 'SELECT hostname FROM fleet.alerts WHERE customer_id = $1', [
      customer,
    ]),
  ).toEqual([{ hostname: expected }]);
});

describe('the rule table', () => {
  const classify = (event: object, rules = shipped) => {
    const read = readFalcoEvent({ ...bare, ...event });
    if ('fault' in read) throw new Error(read.fault);
    return rules.classify(read);
  };

  test.each([
    ['a rule by its name', { rule: 'launch privileged container' }, 'container_privileged', 'medium'],
    [
      'the severity of a rule',
      { rule: 'Falco internal: syscall event drop', priority: 'Debug' },
      'system_info_change',
      'medium',
    ],
    ['the first tag of the table', { tags: ['shell', 'mitre_exfiltration'] }, 'network_anomaly', 'medium'],
    ['a source', { source: 'k8s_audit' }, 'controlplane_integrity', 'medium'],
    ['a source of a control plane', { source: 'okta' }, 'controlplane_credential_attack', 'medium'],
    ['anything else', { source: 'salesforce', priority: 'EMERGENCY' }, 'process_anomaly', 'critical'],
  ])('%s', (_name, event, type, severity) => {
    expect(classify(event)).toEqual({ type, severity });
  });

  test('any alert has a valid type and severity', () => {
    fc.assert(
      fc.property(
        fc.record({
          rule: fc.string({ minLength: 1 }),
          priority: fc.constantFrom(
            'Emergency',
            'alert',
            'Critical',
            'Error',
            'Warning',
            'Notice',
            'Informational',
            'Debug',
          ),
          source: fc.constantFrom('syscall', 'k8s_audit', 'aws_cloudtrail', ''),
          tags: fc.array(fc.constantFrom('network', 'shell', 'mitre_persistence', 'T1059', '__proto__')),
        }),
        (event) => {
          const verdict = classify(event);
          if ('fault' in verdict) throw new Error(verdict.fault);
          expect(ALERT_TYPES).toContain(verdict.type);
          expect(SEVERITIES).toContain(verdict.severity);
        },
      ),
    );
  });

  describe('an operator’s table', () => {
    const folder = mkdtempSync(join(tmpdir(), 'falco-rules-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const own = (text: string) => {
      writeFileSync(join(folder, 'rules.yaml'), text);
      return FalcoRules.read({ file: join(folder, 'rules.yaml'), name: '--rules' });
    };

    test('overrides entries of the built-in table', () => {
      const rules = own(`
        priorities: { warning: high }
        rules: { Terminal shell in container: { type: container_escape, severity: info }, Noisy: null }
        tags: { shell: ray_job_rce }
        otherwise: model_poisoning
      `);
      expect(classify({ rule: 'Terminal shell in container' }, rules)).toEqual({
        type: 'container_escape',
        severity: 'info',
      });
      expect(classify({ rule: 'noisy' }, rules)).toEqual({
        fault: 'the rule table maps "noisy" to no alert',
      });
      expect(classify({ tags: ['network', 'shell'] }, rules)).toEqual({
        type: 'ray_job_rce',
        severity: 'high',
      });
      expect(classify({}, rules)).toEqual({ type: 'model_poisoning', severity: 'high' });
      expect(classify({ rule: 'Launch Privileged Container' }, rules)).toMatchObject({
        type: 'container_privileged',
      });
    });

    test.each([
      ['rules: { X: shell }', /--rules \(.*rules.yaml\) is not valid:\n {2}rules → X → type: .*"cpu_usage"/],
      ['rules: { X: { type: cpu_usage, severity: bad } }', /rules → X → severity: .*"critical"/],
      ['rule: {}', /the file: Unrecognized key: "rule"/],
      ['priorities: { debug: none }', /priorities → debug: /],
      ['- a', /the file: Invalid input: expected object/],
      ['a: [', /is not YAML: .*line 1/s],
    ])('%s is rejected with the reason', (text, reason) => {
      expect(() => own(text)).toThrow(reason);
    });
  });
});
