import fc from 'fast-check';
import { type ClockHints, readKernelLine } from '../../src/importer/formats/xid/kernel-line.ts';
import { normalizePciAddress } from '../../src/importer/formats/xid/pci-address.ts';
import { readXidMessage } from '../../src/importer/formats/xid/xid-message.ts';

const XID = 'NVRM: Xid (PCI:0000:9b:00): 79, pid=4711, name=python, GPU has fallen off the bus.';
const HINTS: ClockHints = {
  bootTimeMs: Date.parse('2026-11-01T00:00:00Z'),
  utcOffsetMinutes: 0,
  nowMs: Date.parse('2026-11-21T12:00:00Z'),
};
const WITHOUT_BOOT = { ...HINTS, bootTimeMs: null };

describe('parses host, time and message in each format', () => {
  test.each<[string, string, string | null, string]>([
    ['dmesg', `[171167.620236] ${XID}`, null, '2026-11-02T23:32:47.620Z'],
    ['dmesg -r', `<6>[    2.608284] ${XID}`, null, '2026-11-01T00:00:02.608Z'],
    ['dmesg -x', `kern  :err   : [    2.608284] ${XID}`, null, '2026-11-01T00:00:02.608Z'],
    ['dmesg -d', `[171167.620236 <    0.000012>] ${XID}`, null, '2026-11-02T23:32:47.620Z'],
    ['a console with the task', `[171167.620236][  T412] ${XID}`, null, '2026-11-02T23:32:47.620Z'],
    ['dmesg -T', `[Sat Nov 21 06:24:18 2026] ${XID}`, null, '2026-11-21T06:24:18.000Z'],
    ['dmesg --time-format iso', `2026-11-21T06:24:18,123456+00:00 ${XID}`, null, '2026-11-21T06:24:18.123Z'],
    ['/dev/kmsg', `6,1234,5140900,-;${XID}`, null, '2026-11-01T00:00:05.141Z'],
    ['journalctl -k', `Nov 20 06:24:18 node-1 kernel: ${XID}`, 'node-1', '2026-11-20T06:24:18.000Z'],
    ['journalctl -k --no-hostname', `Nov 20 06:24:18 kernel: ${XID}`, null, '2026-11-20T06:24:18.000Z'],
    [
      'journalctl -o short-precise',
      `Nov 20 06:24:18.987654 node-1 kernel: ${XID}`,
      'node-1',
      '2026-11-20T06:24:18.987Z',
    ],
    [
      'journalctl -o short-iso',
      `2026-11-21T06:24:18+0200 node-1 kernel: ${XID}`,
      'node-1',
      '2026-11-21T04:24:18.000Z',
    ],
    [
      'journalctl -o short-iso-precise',
      `2026-11-21T06:24:18.500000-05:00 node-1 kernel: ${XID}`,
      'node-1',
      '2026-11-21T11:24:18.500Z',
    ],
    [
      'journalctl -o short-full',
      `Sat 2026-11-21 06:24:18 UTC node-1 kernel: ${XID}`,
      'node-1',
      '2026-11-21T06:24:18.000Z',
    ],
    [
      'journalctl -o with-unit',
      `Sat 2026-11-21 06:24:18 UTC node-1 kernel: ${XID}`,
      'node-1',
      '2026-11-21T06:24:18.000Z',
    ],
    [
      'journalctl -o short-full with an offset',
      `Sat 2026-11-21 06:24:18 -03 node-1 kernel: ${XID}`,
      'node-1',
      '2026-11-21T09:24:18.000Z',
    ],
    [
      'an entry of dmesg -J',
      JSON.stringify({ pri: 3, time: 171167.620236, msg: XID }),
      null,
      '2026-11-02T23:32:47.620Z',
    ],
    [
      'journalctl -o short-unix',
      `1763706258.250000 node-1 kernel: ${XID}`,
      'node-1',
      '2025-11-21T06:24:18.250Z',
    ],
    [
      'journalctl -o short-monotonic',
      `[171167.620236] node-1 kernel: ${XID}`,
      'node-1',
      '2026-11-02T23:32:47.620Z',
    ],
    [
      'syslog, RFC 3164',
      `Feb  3 06:24:18 node-1.example.org kernel: [12345.678901] ${XID}`,
      'node-1.example.org',
      '2026-02-03T06:24:18.000Z',
    ],
    [
      'syslog of last year',
      `Dec 31 23:59:59 node-1 kernel: [12345.678901] ${XID}`,
      'node-1',
      '2025-12-31T23:59:59.000Z',
    ],
    [
      'rsyslog',
      `2026-11-21T06:24:18.123456+00:00 node-1 kernel: [ 1234.5] ${XID}`,
      'node-1',
      '2026-11-21T06:24:18.123Z',
    ],
    [
      'syslog, RFC 5424',
      `<4>1 2026-11-21T06:24:18.1Z node-1 kernel - - - ${XID}`,
      'node-1',
      '2026-11-21T06:24:18.100Z',
    ],
    [
      'journalctl -o json',
      JSON.stringify({ _HOSTNAME: 'node-1', __REALTIME_TIMESTAMP: '1795242258123456', MESSAGE: XID }),
      'node-1',
      '2026-11-21T06:24:18.123Z',
    ],
    [
      'journalctl -o json of bytes',
      JSON.stringify({ __REALTIME_TIMESTAMP: '1795242258123456', MESSAGE: [...Buffer.from(XID)] }),
      null,
      '2026-11-21T06:24:18.123Z',
    ],
  ])('%s', (_dialect, line, host, at) => {
    expect(readKernelLine(line, HINTS)).toMatchObject({ host, atMs: Date.parse(at), message: XID });
  });

  test('times without a zone have the given offset', () => {
    const line = `[Sat Nov 21 06:24:18 2026] ${XID}`;
    expect(readKernelLine(line, { ...HINTS, utcOffsetMinutes: 120 })).toMatchObject({
      atMs: Date.parse('2026-11-21T04:24:18Z'),
    });
  });

  test.each([
    [XID, /^the line has no time in a format of dmesg/],
    [`[...] ${XID}`, /^the line has no time in a format of dmesg/],
    [`[171167.620236] ${XID}`, /^the line has seconds since boot: set --boot-time/],
    [`[Sat Nov 31 06:24:18 2026] ${XID}`, /^invalid time: Nov 31/],
    [`2026-13-21T06:24:18Z node kernel: ${XID}`, /^invalid time: 2026-13/],
    [`[99999999999999.5] ${XID}`, /set --boot-time/],
    [`6,1234,${'9'.repeat(400)},-;${XID}`, /set --boot-time/],
    ['{"MESSAGE":', /^not JSON/],
    [JSON.stringify({ MESSAGE: XID }), /no __REALTIME_TIMESTAMP/],
  ])('rejects %s', (line, reason) => {
    expect(readKernelLine(line, WITHOUT_BOOT)).toEqual({ fault: expect.stringMatching(reason) });
  });
});

test.each([`[99999999999999.5] ${XID}`, `6,1234,${'9'.repeat(400)},-;${XID}`])('rejects %.40s…', (line) => {
  expect(readKernelLine(line, HINTS)).toEqual({ fault: 'the time is not between 1970 and 9999' });
});

describe('driver messages', () => {
  const xid = { kind: 'xid', pci: '00000000:9B:00.0', code: 79, pid: null, processName: null, text: '' };
  const busLoss = { ...xid, text: 'GPU has fallen off the bus.' };
  test.each([
    [XID, { ...xid, pid: 4711, processName: 'python', text: 'GPU has fallen off the bus.' }],
    [
      'NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.',
      { ...xid, text: 'GPU has fallen off the bus.' },
    ],
    [
      "NVRM: Xid (PCI:0000:9b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
      { ...xid, text: 'GPU has fallen off the bus.' },
    ],
    ['NVRM: Xid (0000:9b:00): 79, Channel 00000001', { ...xid, text: 'Channel 00000001' }],
    ['NVRM: Xid (PCI:0000:9b:00 GPU-I:05): 79, pid=12', { ...xid, pid: 12 }],
    ['NVRM: Xid (PCI:0000:9b:00): 79', xid],
    [
      'NVRM: Xid (PCI:0000:9b:00 GPU-I:01 GPU-CI:02): 79, pid=9, name=a, Contained',
      { ...xid, pid: 9, processName: 'a', text: 'Contained' },
    ],
    ['NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.', busLoss],
    ['NVRM: GPU at PCI:0000:9b:00: GPU has fallen off the bus.', busLoss],
    ['NVRM: GPU at PCI:0000:9b:00 : GPU has fallen off the bus', busLoss],
    ['NVRM: GPU at 0000:9b:00.0 has fallen off the bus.', busLoss],
    [
      'NVRM: The NVIDIA GPU 0000:9b:00.0\nNVRM: (PCI ID: 10de:2330) installed in this system has\n' +
        'NVRM: fallen off the bus and is not responding to commands.',
      busLoss,
    ],
    ['NVRM: The NVIDIA GPU 0000:9b:00.0', { kind: 'device', pci: '00000000:9B:00.0' }],
    ['NVRM: fallen off the bus and is not responding to commands.', { kind: 'bus_loss' }],
    [
      'NVRM: GPU 0000:9b:00.0: RmInitAdapter failed! (0x24:0x65:1423)',
      { kind: 'init_failure', pci: '00000000:9B:00.0', text: 'RmInitAdapter failed! (0x24:0x65:1423)' },
    ],
    [
      'NVRM: RmInitAdapter failed! (0x26:0xffff:1290)',
      { kind: 'init_failure', pci: null, text: 'RmInitAdapter failed! (0x26:0xffff:1290)' },
    ],
    [
      'NVRM: Xid (PCI:0018:01:00): 145, pid=876767, name=ray::WorkerDict, RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0 0x8)',
      {
        kind: 'xid',
        pci: '00000018:01:00.0',
        code: 145,
        pid: 876767,
        processName: 'ray::WorkerDict',
        text: 'RLW_RXPIPE Nonfatal XC0 i0 Link 13 (0x0 0x8)',
      },
    ],
    [
      'nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 63 LTSSM Fault Up',
      {
        kind: 'sxid',
        pci: '00000000:05:00.0',
        code: 20034,
        fatal: true,
        text: 'Fatal, Link 63 LTSSM Fault Up',
      },
    ],
    [
      'nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error (First)',
      {
        kind: 'sxid',
        pci: '00000000:05:00.0',
        code: 12028,
        fatal: false,
        text: 'Non-fatal, Link 32 egress non-posted PRIV error (First)',
      },
    ],
    [
      'NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-b600-ac93-3616-d754b23d636d',
      { kind: 'board', pci: '00000000:9B:00.0', gpuId: 'GPU-509665ad-b600-ac93-3616-d754b23d636d' },
    ],
    ['nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Data {0x50610002, 0x10100030}', null],
    ['nvidia-nvswitch2: SXid (PCI:0000:07:00.0): 20034, Severity 1 Engine instance 60', null],
    ['NVRM: GPU 0000:91:00.0: GPU serial number is 1653723052734.', null],
    ['usb 1-2: New USB device found', null],
  ])('%s', (message, expected) => {
    expect(readXidMessage(message)).toEqual(expected);
  });

  test.each([
    ['NVRM: Xid (invalid): some error', /not a line of the driver/],
    ['NVRM: Xid (PCI:zz:9b:00): 79', /PCI:zz:9b:00 is not a PCI address/],
    ['NVRM: Xid (PCI:0000:9b:00): 0', /0 is not an XID/],
    ['NVRM: the board has fallen off the bus', /no PCI address of a GPU/],
    ['nvidia-nvswitch0: SXid (PCI:0000:00:00.0): xyz, Fatal error', /not a line of the driver/],
    ['nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, error', /neither Fatal nor Non-fatal/],
  ])('rejects %s', (message, reason) => {
    expect(readXidMessage(message)).toEqual({ fault: expect.stringMatching(reason) });
  });
});

test('normalizes all forms of a PCI address', () => {
  const hex = (digits: number) => fc.integer({ min: 0, max: 16 ** digits - 1 });
  fc.assert(
    fc.property(
      hex(4),
      hex(2),
      fc.integer({ min: 0, max: 31 }),
      fc.boolean(),
      (domain, bus, device, upper) => {
        const part = (value: number, digits: number) => {
          const text = value.toString(16).padStart(digits, '0');
          return upper ? text.toUpperCase() : text;
        };
        const tail = `${part(bus, 2)}:${part(device, 2)}`;
        const nvml = `${part(domain, 8)}:${tail}.0`;
        const forms = [`PCI:${part(domain, 4)}:${tail}`, `${part(domain, 4)}:${tail}.0`, nvml];
        expect(new Set(forms.map(normalizePciAddress))).toEqual(new Set([nvml.toUpperCase()]));
      },
    ),
  );
  expect(normalizePciAddress('GPU-1')).toBeNull();
});

test('no line causes an exception or long backtracking', () => {
  const cpuMs = (text: string) => {
    const began = process.cpuUsage();
    readKernelLine(`${text}${XID}`, HINTS);
    readXidMessage(`NVRM: Xid (${text}`);
    return process.cpuUsage(began).user / 1_000;
  };
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 2_000 }), fc.constant(`[${' '.repeat(50_000)}1`)), (text) => {
      // Repeated, because garbage collection may have slowed the first run.
      if (cpuMs(text) > 500) expect(Math.min(cpuMs(text), cpuMs(text))).toBeLessThan(500);
    }),
  );
});
