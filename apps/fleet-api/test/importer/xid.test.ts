import fc from 'fast-check';
import { importXid } from '../../src/importer/formats/xid/import-xid.ts';
import type { KernelLogOptions } from '../../src/importer/formats/xid/kernel-log.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importRecords, importText } from '../support/import-records.ts';
import { gpuRecord, minutesAgo } from '../support/records.ts';

const database = useFleetDatabase();

const importLog = (customerId: number, lines: string[], options: Partial<KernelLogOptions> = {}) =>
  importText(
    database.importerUrl,
    lines.join('\n'),
    (job) => importXid(job, { customerId, host: null, bootTimeMs: null, utcOffsetMinutes: 0, ...options }),
    { customerId, workspaceId: 10, apiKeyId: null },
  );
const xid = (
  minutes: number,
  code: number,
  pci = '0000:9b:00',
  text = 'pid=7, name=python, it failed',
  host = 'node-1',
) => `${minutesAgo(minutes).replace('Z', '+00:00')} ${host} kernel: NVRM: Xid (PCI:${pci}): ${code}, ${text}`;
const rows = <Row extends object>(text: string) => rowsOf<Row>(database.administratorUrl, text);
const gpusOf = (customer: number) =>
  rows<{ gpu_id: string }>(
    `SELECT gpu_id, workspace_id, hostname, pcie_address FROM fleet.gpus WHERE customer_id = ${customer} ORDER BY gpu_id`,
  );

test('converts a line to an event, an alert with a timeline, and health', async () => {
  await importRecords(database.importerUrl, [
    gpuRecord('GPU-1', {
      at: minutesAgo(60),
      workspace_id: 11,
      hostname: 'Node-1',
      pcie_address: '00000000:9B:00.0',
      model: 'NVIDIA H100 80GB HBM3',
      serial_no: '1654922006536',
    }),
  ]);
  const line = xid(5, 79);
  expect(await importLog(1, ['other words', '', line])).toMatchObject({
    written: 1,
    rejected: 0,
    skipped: 1,
  });
  expect(await rows('SELECT gpu_id, code, message FROM fleet.gpu_xid_events WHERE customer_id = 1')).toEqual([
    { gpu_id: 'GPU-1', code: 79, message: 'it failed' },
  ]);
  const [alert] = await rows<{ doc: string; details: string; timeline: string }>(
    `SELECT doc, (SELECT resource_details FROM fleet.alert_details d WHERE d.customer_id = 1) AS details,
       (SELECT doc FROM fleet.alert_timeline_events e WHERE e.customer_id = 1) AS timeline
     FROM fleet.alerts WHERE customer_id = 1`,
  );
  expect(JSON.parse(alert?.doc ?? '')).toMatchObject({
    title: 'XID 79: GPU has fallen off the bus',
    description: "it failed. NVIDIA's immediate action: restart host.",
    type: 'gpu_pcie',
    severity: 'critical',
    hostname: 'node-1',
    gpu_model: 'NVIDIA H100 80GB HBM3',
    gpu_serial: '1654922006536',
    workspace_id: 11,
  });
  expect(JSON.parse(alert?.details ?? '')).toMatchObject({
    process_details: { process_name: 'python', pid: 7 },
    gpu_details: { gpu_id: 'GPU-1', serial_number: '1654922006536' },
    node_details: { node_id: 'node-1' },
  });
  expect(JSON.parse(alert?.timeline ?? '')).toMatchObject({ pid: 7, comm: 'python', event_type: 'xid' });
  expect(await rows('SELECT health_signals FROM fleet.gpus WHERE customer_id = 1')).toEqual([
    { health_signals: [expect.objectContaining({ rule: 'critical_xid', health: 'critical' })] },
  ]);
});

test('importing a log again changes nothing, also in parts, and after the inventory has changed', async () => {
  const lines = [
    xid(9, 31),
    xid(8, 79),
    xid(8, 79, '0000:9b:00', 'the same again'),
    xid(7, 43, '0000:0a:00'),
  ];
  expect(await importLog(2, lines)).toMatchObject({ written: 6, duplicate: 0, rejected: 0 });
  // The GPU now has a UUID: imported alerts keep their place, and so do later ones.
  await importRecords(database.importerUrl, [
    gpuRecord('GPU-2', {
      customer_id: 2,
      hostname: 'node-1',
      pcie_address: '00000000:9b:00.0',
      model: 'NVIDIA H100',
    }),
  ]);
  const before = await fleetTables(database.administratorUrl);
  for (const some of [lines, lines.slice(1), lines.slice(2, 3)])
    expect(await importLog(2, some)).toMatchObject({ written: 0, rejected: 0 });
  expect(await fleetTables(database.administratorUrl)).toEqual(before);
  // A new line is the board's.
  await importLog(2, [xid(6, 31)]);
  expect(
    await rows(`SELECT code FROM fleet.gpu_xid_events WHERE customer_id = 2 AND gpu_id = 'GPU-2'`),
  ).toEqual([{ code: 31 }]);
});

test('identifies an unknown GPU by host and slot, or by the UUID that the driver logs', async () => {
  const board = 'GPU-509665ad-b600-ac93-3616-d754b23d636d';
  await importLog(3, [
    xid(9, 31, '0000:0a:00'),
    `[${Math.round(Date.now() / 1000)}.5] NVRM: GPU at PCI:0000:9b:00: ${board}`,
    `${minutesAgo(8).replace('Z', '+00:00')} node-1 kernel: NVRM: GPU at PCI:0000:9b:00: ${board}`,
    xid(8, 119),
    xid(8, 119, '0000:9b:00', 'another host', 'node-2'),
  ]);
  expect(await gpusOf(3)).toEqual([
    { gpu_id: board, workspace_id: 10, hostname: 'node-1', pcie_address: '00000000:9B:00.0' },
    {
      gpu_id: 'node-1|00000000:0A:00.0|',
      workspace_id: 10,
      hostname: 'node-1',
      pcie_address: '00000000:0A:00.0',
    },
    {
      gpu_id: 'node-2|00000000:9B:00.0|',
      workspace_id: 10,
      hostname: 'node-2',
      pcie_address: '00000000:9B:00.0',
    },
  ]);
});

test('converts an SXid to an alert of the host, and skips its continuation lines', async () => {
  const switches = (text: string) =>
    `${minutesAgo(4).replace('Z', '+00:00')} node-1 kernel: nvidia-nvswitch0: SXid (PCI:0000:05:00.0): ${text}`;
  const lines = [
    switches('20034, Fatal, Link 63 LTSSM Fault Up'),
    switches('20034, Severity 1 Engine instance 63 Sub-engine instance 00'),
    switches('20034, Data {0x10000000, 0x10000000}'),
    switches('12028, Non-fatal, Link 32 egress non-posted PRIV error (First)'),
  ];
  expect(await importLog(4, lines)).toMatchObject({ written: 4, rejected: 0, skipped: 2 });
  expect(await importLog(4, lines)).toMatchObject({ written: 0, duplicate: 4 });
  const alerts = await rows<{ doc: string }>(
    'SELECT doc FROM fleet.alerts WHERE customer_id = 4 ORDER BY severity',
  );
  expect(alerts.map(({ doc }) => JSON.parse(doc) as object)).toEqual([
    expect.objectContaining({
      title: 'NVSwitch SXid 20034: fatal',
      type: 'gpu_nvlink',
      severity: 'high',
      hostname: 'node-1',
    }),
    expect.objectContaining({ title: 'NVSwitch SXid 12028: non-fatal', severity: 'low' }),
  ]);
  expect(await gpusOf(4)).toEqual([]);
});

test('orders events of one second by the stamp of the kernel and by line', async () => {
  const second = `${minutesAgo(5).slice(0, 19)}+00:00`;
  const line = (stamp: string, code: number) =>
    `${second} node-1 kernel: ${stamp}NVRM: Xid (PCI:0000:9b:00): ${code}, it failed`;
  await importLog(20, [line('[ 12.000009] ', 45), line('[ 12.000001] ', 31), line('[ 12.000005] ', 79)]);
  await importLog(21, [line('', 79), line('', 31), line('', 45), line('', 13)]);
  const codes = (customer: number) =>
    rows<{ code: number }>(
      `SELECT code FROM fleet.gpu_xid_events WHERE customer_id = ${customer} ORDER BY at DESC, sequence DESC`,
    );
  expect((await codes(20)).map(({ code }) => code)).toEqual([45, 79, 31]);
  expect((await codes(21)).map(({ code }) => code)).toEqual([13, 45, 31, 79]);
});

test('NVLink errors of different levels in one second are different events', async () => {
  const line = (text: string) => xid(5, 149, '0018:01:00', text);
  const nonfatal = line('NETIR_BER_EVENT Nonfatal XC0 i0 Link 03 (0x00086226 0x00000001 0x00000000)');
  const signals = () => rows(`SELECT health_signals FROM fleet.gpus WHERE customer_id = 22`);
  expect(await importLog(22, [nonfatal])).toMatchObject({ written: 2 });
  expect(await signals()).toEqual([{ health_signals: [] }]);
  expect(await importLog(22, [nonfatal, line('NETIR Fatal XC0 i0 Link -1 (0x000fe406 0x0)')])).toMatchObject({
    written: 1,
    duplicate: 1,
  });
  expect(await signals()).toEqual([{ health_signals: [expect.objectContaining({ health: 'critical' })] }]);
  expect(await rows('SELECT severity FROM fleet.alerts WHERE customer_id = 22 ORDER BY 1')).toEqual([
    { severity: 1 },
    { severity: 4 },
  ]);
});

describe('faults without an XID', () => {
  const at = (minutes: number) => minutesAgo(minutes).replace('Z', '+00:00');
  const busLossLines = [
    'NVRM: The NVIDIA GPU 0000:b3:00.0',
    'NVRM: (PCI ID: 10de:2330) installed in this system has',
    'NVRM: fallen off the bus and is not responding to commands.',
  ];
  const events = (customer: number) =>
    rows<object>(
      `SELECT gpu_id, code, message FROM fleet.gpu_xid_events WHERE customer_id = ${customer} ORDER BY at, gpu_id`,
    );
  const lost = (gpu_id: string) => ({ gpu_id, code: 79, message: 'GPU has fallen off the bus.' });

  test('converts a lost GPU to XID 79, also where a message has several lines', async () => {
    const lines = [
      ...busLossLines.map((text) => `${at(9)} node-1 kernel: ${text}`),
      `${at(8)} node-2 kernel: NVRM: GPU at PCI:0000:b3:00: GPU has fallen off the bus.`,
      JSON.stringify({
        _HOSTNAME: 'node-3',
        __REALTIME_TIMESTAMP: String(Date.parse(minutesAgo(7)) * 1000),
        MESSAGE: busLossLines.join('\n'),
      }),
    ];
    expect(await importLog(10, lines)).toMatchObject({ written: 6, rejected: 0 });
    expect(await events(10)).toEqual(
      ['node-1', 'node-2', 'node-3'].map((host) => lost(`${host}|00000000:B3:00.0|`)),
    );
    expect(await importLog(10, lines)).toMatchObject({ written: 0, rejected: 0 });
  });

  test('reads the lines of a message that dmesg prints without time', async () => {
    const [first = '', ...rest] = busLossLines;
    const lines = [`[60.5] ${first}`, ...rest.map((text) => `             ${text}`)];
    const bootTimeMs = Date.now() - 3_600_000;
    expect(await importLog(11, lines, { host: 'node-1', bootTimeMs })).toMatchObject({
      written: 2,
      rejected: 0,
    });
    expect(await importLog(11, rest, { host: 'node-1', bootTimeMs })).toMatchObject({
      rejects: [{ reason: expect.stringMatching(/the line before, with the GPU, is missing/) }],
    });
  });

  test('a message that repeats XID 79 joins its incident, also where the log is read from its middle', async () => {
    const seconds = (text: string, offset: number) =>
      `${new Date(Date.parse(minutesAgo(9)) + offset).toISOString().replace('Z', '+00:00')} node-1 kernel: ${text}`;
    const lines = [
      seconds('NVRM: Xid (PCI:0000:b3:00): 79, GPU has fallen off the bus.', 0),
      seconds('NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.', 1),
      seconds('NVRM: GPU 0000:b3:00.0: GPU has fallen off the bus.', 90_000),
    ];
    expect(await importLog(12, lines.slice(1))).toMatchObject({ written: 3 });
    expect(await importLog(12, lines)).toMatchObject({ written: 1, duplicate: 1, skipped: 1 });
    expect(
      await rows('SELECT opens_incident FROM fleet.gpu_xid_events WHERE customer_id = 12 ORDER BY at'),
    ).toEqual([{ opens_incident: true }, { opens_incident: false }, { opens_incident: true }]);
  });

  test('converts a failed initialization to a critical alert, of the GPU if it is known', async () => {
    await importRecords(database.importerUrl, [
      gpuRecord('GPU-1', {
        customer_id: 13,
        workspace_id: 11,
        hostname: 'node-1',
        pcie_address: '00000000:1A:00.0',
      }),
    ]);
    const failure = (host: string) =>
      `${at(5)} ${host} kernel: NVRM: GPU 0000:1a:00.0: RmInitAdapter failed! (0x24:0x65:1423)`;
    const lines = [
      failure('node-1'),
      `${at(5)} node-1 kernel: NVRM: GPU 0000:1a:00.0: rm_init_adapter failed, device minor number 0`,
      failure('node-2'),
    ];
    expect(await importLog(13, lines)).toMatchObject({ written: 4, skipped: 1, rejected: 0 });
    expect(await importLog(13, lines)).toMatchObject({ written: 0, rejected: 0 });
    expect(
      await rows(
        `SELECT type, severity, gpu_id, workspace_id, doc::json ->> 'hostname' AS hostname
         FROM fleet.alerts WHERE customer_id = 13 ORDER BY hostname`,
      ),
    ).toEqual([
      { type: 'gpu_driver_access', severity: 0, gpu_id: 'GPU-1', workspace_id: 11, hostname: 'node-1' },
      { type: 'gpu_driver_access', severity: 0, gpu_id: null, workspace_id: 10, hostname: 'node-2' },
    ]);
  });
});

test.each<[string, string[]]>([
  [
    'journalctl -o export',
    ['__CURSOR=s=1', '__REALTIME_TIMESTAMP=1', 'MESSAGE=NVRM: Xid (PCI:0000:9b:00): 31, it failed', ''],
  ],
  [
    'journalctl -o verbose',
    [
      '-- Boot 1 --',
      'Sat 2026-11-21 08:00:00.000000 UTC [s=3f;i=1]',
      '    MESSAGE=NVRM: Xid (PCI:0000:9b:00): 31',
    ],
  ],
])('a log in the format of %s fails the import, with formats that are read', async (format, lines) => {
  await expect(importLog(90, lines)).rejects.toThrow(
    `the log looks like ${format}, which has one field per line: use journalctl -k -o json or -o short-iso-precise`,
  );
});

test.each([
  ['<?xml version="1.0" ?>', 'XML of nvidia-smi: use the adapter nvidia-smi'],
  ['# HELP DCGM_FI_DEV_GPU_TEMP x', 'the page of dcgm-exporter: use the adapter dcgm'],
  ['DCGM_FI_DEV_GPU_TEMP{gpu="0"} 40', 'the page of dcgm-exporter: use the adapter dcgm'],
  ['{"rule":"x","priority":"Notice"}', 'Falco alerts: use the adapter falco'],
])('input of another adapter fails the import: %s', async (line, reason) => {
  await expect(importLog(90, [line])).rejects.toThrow(`the log looks like ${reason}.`);
});

test('a document of dmesg -J in one line that is too long is rejected, with the form that is read', async () => {
  const message = { pri: 3, time: 1, msg: 'x'.repeat(99) };
  const document = JSON.stringify({ dmesg: new Array<object>(9_999).fill(message) });
  const { rejects } = await importLog(91, [document]);
  expect(rejects.map(({ reason }) => reason)).toEqual([
    'the line is longer than 1048576 bytes: import dmesg -J as it is printed, with one field per line',
  ]);
});

describe('finds XIDs in output that hides their text', () => {
  const message = 'NVRM: Xid (PCI:0000:9b:00): 31, it failed';
  const seconds = (Date.now() - 3_000_000) / 1_000;
  const bootTimeMs = Date.now() - 3_600_000;
  let formatCustomer = 200;
  test.each<[string, string[]]>([
    [
      'dmesg --color=always',
      [`\u001B[32m[  600.000000] \u001B[0m\u001B[33mNVRM: \u001B[0m${message.slice(6)}`],
    ],
    [
      'dmesg -J',
      [
        '{',
        '   "dmesg": [',
        '      {',
        '         "pri": 3,',
        '         "time":   600.000000,',
        `         "msg": "${message}"`,
        '      }',
        '   ]',
        '}',
      ],
    ],
    [
      'dmesg -J in one line',
      [
        JSON.stringify({
          dmesg: [
            { pri: 6, time: 1, msg: 'usb' },
            { pri: 3, time: 600, msg: message },
          ],
        }),
      ],
    ],
    ['dmesg -J of one entry in a line', [`{"pri":3,"time":600.000000,"msg":"${message}"}`]],
    [
      'dmesg -J --time-format iso',
      [
        '{',
        '"dmesg": [',
        '{',
        '"time": "' +
          new Date(bootTimeMs + 600_000)
            .toISOString()
            .replace('.000Z', ',000000+00:00')
            .replace('Z', '+00:00') +
          '",',
        `"msg": "${message}"`,
        '}',
        ']',
        '}',
      ],
    ],
    [
      'CRI in parts',
      [
        `${new Date(seconds * 1000).toISOString()} stdout P [600.0] ${message.slice(0, 9)}`,
        `${new Date(seconds * 1000).toISOString()} stdout F ${message.slice(9)}`,
      ],
    ],
  ])('%s', async (_format, lines) => {
    const customer = (formatCustomer += 1);
    expect(await importLog(customer, lines, { host: 'node-1', bootTimeMs })).toMatchObject({
      written: 2,
      rejected: 0,
    });
    const [event] = await rows<{ at: Date; message: string }>(
      `SELECT at, message FROM fleet.gpu_xid_events WHERE customer_id = ${customer}`,
    );
    expect(event?.message).toBe('it failed');
    expect(Math.abs((event?.at.getTime() ?? 0) - seconds * 1_000)).toBeLessThan(2_000);
  });

  test('dmesg -H, with minutes and the seconds since the line before', async () => {
    const start = new Date(Date.now() - 600_000);
    const [, day = '', month = ''] = /^\w+, 0?(\d+) (\w+)/.exec(start.toUTCString()) ?? [];
    const minute = `[${month}${day.padStart(2, ' ')} ${start.toISOString().slice(11, 16)}]`;
    const lines = [
      `${minute} usb 1-2: New USB device found`,
      '[  +1.500000] usb',
      `[  +0.250000] ${message}`,
    ];
    expect(await importLog(300, lines, { host: 'node-1' })).toMatchObject({
      written: 2,
      rejected: 0,
      skipped: 2,
    });
    const [event] = await rows<{ at: Date }>('SELECT at FROM fleet.gpu_xid_events WHERE customer_id = 300');
    expect(event?.at.getTime()).toBe(Math.floor(start.getTime() / 60_000) * 60_000 + 1_750);
  });

  test('an entry without its end is rejected', async () => {
    const line = `${new Date(seconds * 1000).toISOString()} stdout P [600.0] ${message}`;
    expect(await importLog(301, [line])).toMatchObject({
      written: 0,
      rejects: [{ reason: expect.stringMatching(/incomplete/) }],
    });
  });
});

test('rejects a line without host or time with its reason', async () => {
  const { rejects, written } = await importLog(5, [
    `[171167.620236] NVRM: Xid (PCI:0000:9b:00): 79, lost`,
    `[Sat Nov 21 06:24:18 2026] NVRM: Xid (PCI:0000:9b:00): 79, lost`,
    xid(5, 79, 'nowhere'),
    xid(-300, 79),
    xid(5, 79, '0000:9b:00', `nul\0`),
  ]);
  expect(written).toBe(0);
  expect(rejects.map(({ line, reason }) => [line, reason])).toEqual([
    [1, expect.stringMatching(/set --boot-time/)],
    [2, expect.stringMatching(/set --host/)],
    [3, expect.stringMatching(/nowhere is not a PCI address/)],
    [4, expect.stringMatching(/is in the future/)],
    [5, expect.stringMatching(/NUL/)],
  ]);
});

test('--host sets the host, --boot-time the boot time', async () => {
  const bootTimeMs = Date.now() - 3_600_000;
  await importLog(6, ['[60.5] NVRM: Xid (PCI:0000:9b:00): 13, x'], { host: 'node-9', bootTimeMs });
  await importLog(6, [xid(5, 13)], { host: 'node-9' });
  expect((await gpusOf(6)).map(({ gpu_id }) => gpu_id)).toEqual(['node-9|00000000:9B:00.0|']);
  const [event] = await rows<{ at: Date }>(
    'SELECT at FROM fleet.gpu_xid_events WHERE customer_id = 6 ORDER BY at',
  );
  expect(event?.at.getTime()).toBe(bootTimeMs + 60_500);
});

test('creates an unknown GPU with its first valid line', async () => {
  const lines = [xid(60 * 24 * 500, 31), xid(5, 31), xid(4, 13)];
  expect(await importLog(7, lines)).toMatchObject({ written: 3, rejected: 1 });
});

test('each line of any log is a record, skipped or rejected', async () => {
  const part = fc.constantFrom(
    ...[
      'NVRM: Xid (',
      'PCI:0000:9b:00',
      '): ',
      '79',
      ', pid=',
      '7',
      ', name=',
      'x',
      'Fatal',
      '999999',
      '\0',
      '{"MESSAGE":"',
    ],
    ...[
      'nvidia-nvswitch0: SXid (',
      'NVRM: GPU at PCI:0000:9b:00: GPU-1a',
      'node-1 kernel: ',
      '[12.5] ',
      '[9'.repeat(30),
      '|',
    ],
    minutesAgo(3),
  );
  const line = fc.oneof(
    fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 60 }), async (some) => {
      const text = some.map((one) => one.replace(/[\r\n]/g, ' '));
      const { written, duplicate, rejected, skipped, rejects } = await importLog(8, text, {
        bootTimeMs: Date.now() - 60_000,
      });
      const blank = text.filter((one) => one.trim() === '').length;
      const boards = text.filter((one) => /GPU at PCI/.test(one)).length;
      expect(rejected + skipped + blank).toBeLessThanOrEqual(text.length);
      if (written + duplicate === 0)
        expect(rejected + skipped + blank + boards).toBeGreaterThanOrEqual(text.length);
      expect(rejects.every(({ reason }) => reason !== '')).toBe(true);
    }),
    { numRuns: 25 },
  );
});
