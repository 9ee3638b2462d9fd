import fc from 'fast-check';
import { dateLine } from '../../../src/importer/formats/xid/date.ts';
import { recognize } from '../../../src/importer/formats/xid/recognize.ts';
import { RelativeClock } from '../../../src/importer/formats/xid/relative-clock.ts';
import type { ClockHints } from '../../../src/importer/formats/xid/line-formats.ts';

const XID = 'NVRM: Xid (PCI:0000:9b:00): 79, pid=4711, name=python, GPU has fallen off the bus.';
const HINTS: ClockHints = {
  bootTimeMs: Date.parse('2026-11-01T00:00:00Z'),
  utcOffsetMinutes: 0,
  nowMs: Date.parse('2026-11-21T12:00:00Z'),
};
/** Nothing is known from around the line. */
const NOTHING = { time: null, node: null, host: null };
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
      'the log of the fabric manager',
      `[Nov 20 2026 06:24:18] [ERROR] [tid 841] ${XID}`,
      null,
      '2026-11-20T06:24:18.000Z',
    ],
    ['klog', `W1120 06:24:18.987654       1 monitor.go:159] ${XID}`, null, '2026-11-20T06:24:18.987Z'],
    ['logfmt', `level=warn ts=2026-11-20T06:24:18Z msg="${XID}" node=a`, null, '2026-11-20T06:24:18.000Z'],
    ['a console log of zap', `2026-11-20T06:24:18.5Z\tWARN\t${XID}`, null, '2026-11-20T06:24:18.500Z'],
    [
      'a program that repeats kernel lines in syslog',
      `Nov 20 06:24:18 node-1 node-problem-detector[12]: ${XID}`,
      'node-1',
      '2026-11-20T06:24:18.000Z',
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
  ])('%s', (_dialect, line, host, at) => {
    expect(dateLine(line, NOTHING, HINTS)).toMatchObject({
      kind: 'dated',
      host,
      atMs: Date.parse(at),
      message: XID,
    });
  });

  test('times without a zone have the given offset', () => {
    const line = `[Sat Nov 21 06:24:18 2026] ${XID}`;
    expect(dateLine(line, NOTHING, { ...HINTS, utcOffsetMinutes: 120 })).toMatchObject({
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
    [JSON.stringify({ MESSAGE: XID }), /^the line has no time in a format of dmesg/],
  ])('rejects %s', (line, reason) => {
    expect(dateLine(line, NOTHING, WITHOUT_BOOT)).toMatchObject({
      kind: 'undated',
      fault: expect.stringMatching(reason),
    });
  });
});

test.each([`[99999999999999.5] ${XID}`, `6,1234,${'9'.repeat(400)},-;${XID}`])('rejects %.40s…', (line) => {
  expect(dateLine(line, NOTHING, HINTS)).toMatchObject({
    kind: 'undated',
    fault: 'the time is not between 1970 and 9999',
  });
});

test.each<[line: string, orderMicroseconds: number]>([
  [`2026-11-21T06:24:18Z node-1 kernel: [ 1234.500001] ${XID}`, 1_234_500_001],
  [`[    2.608284] ${XID}`, 2_608_284],
  [`6,1234,5140900,-;${XID}`, 5_140_900],
  [`2026-11-21T06:24:18.123456Z node-1 kernel: ${XID}`, 456],
  [`2026-11-21T06:24:18Z node-1 kernel: ${XID}`, 0],
  [`[    2.6] ${XID}`, 0],
])('orders lines of one millisecond by the microseconds of %s', (line, orderMicroseconds) => {
  expect(dateLine(line, NOTHING, HINTS)).toMatchObject({ orderMicroseconds });
});

test.each<[line: string, message: string]>([
  [`6,1234,5140900,-;NVRM: first\\x0aNVRM: second`, 'NVRM: first\nNVRM: second'],
  [`node=a msg="${XID}" code=79`, XID],
  [`W1120 06:24:18.987654 1 m.go:1] &{Source:nvidia Events:[{Message:${XID}}] Conditions:[]}`, XID],
  [`[    2.608284] nvidia-nvswitch0: SXid (PCI:0000:05:00.0)`, 'nvidia-nvswitch0: SXid (PCI:0000:05:00.0)'],
])('strips the prefix of %s', (line, message) => {
  expect(dateLine(line, NOTHING, HINTS)).toMatchObject({ message });
});

test.each<[line: string, time: string, at: string]>([
  [`[    2.608284] ${XID}`, '2026-11-20T00:00:00Z', '2026-11-01T00:00:02.608Z'],
  [XID, '2026-11-20T00:00:00Z', '2026-11-20T00:00:00.000Z'],
  [`[...] ${XID}`, '2026-11-20T00:00:00.123456789Z', '2026-11-20T00:00:00.123Z'],
  [XID, '[60.500000]', '2026-11-01T00:01:00.500Z'],
  [XID, '2026-11-20 00:00:00', '2026-11-20T00:00:00.000Z'],
  [XID, 'Nov 20 06:24:18', '2026-11-20T06:24:18.000Z'],
])('uses the time around a line without its own: %s, %s', (line, time, at) => {
  expect(dateLine(line, { time, node: null, host: 'node-1' }, HINTS)).toMatchObject({
    kind: 'dated',
    host: 'node-1',
    atMs: Date.parse(at),
    message: XID,
  });
});

test('prefers the host of the line, then the Kubernetes node', () => {
  const around = { time: null, node: 'node-2', host: 'pod-3' };
  expect(dateLine(`Nov 20 06:24:18 node-1 kernel: ${XID}`, around, HINTS)).toMatchObject({ host: 'node-1' });
  expect(dateLine(`Nov 20 06:24:18 kernel: ${XID}`, around, HINTS)).toMatchObject({ host: 'node-2' });
});

test('reads the minutes of dmesg --human and the seconds since the line before', () => {
  const clock = new RelativeClock();
  const lines: [line: string, at: string | null][] = [
    ['[  +0.500000] usb', null],
    ['[Nov20 06:24] usb', '2026-11-20T06:24:00.000Z'],
    ['[  +1.500000] usb', '2026-11-20T06:24:01.500Z'],
    ['usb', null],
    ['kern  :err   : [  +0.250000] usb', '2026-11-20T06:24:01.750Z'],
    ['[Nov21 06:25] usb', '2026-11-21T06:25:00.000Z'],
    ['[Nov31 06:25] usb', null],
    ['[  +0.250000] usb', null],
  ];
  expect(
    lines.map(([line]) => {
      const time = clock.advance(line, HINTS);
      return [line, time === null ? null : new Date(time).toISOString()];
    }),
  ).toEqual(lines);
});

test('no line causes an exception or long backtracking', () => {
  const cpuMs = (text: string) => {
    const began = process.cpuUsage();
    dateLine(`${text}${XID}`, NOTHING, HINTS);
    recognize(`NVRM: Xid (${text}`);
    return process.cpuUsage(began).user / 1_000;
  };
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 2_000 }), fc.constant(`[${' '.repeat(50_000)}1`)), (text) => {
      // Repeated, because garbage collection may have slowed the first run.
      if (cpuMs(text) > 500) expect(Math.min(cpuMs(text), cpuMs(text))).toBeLessThan(500);
    }),
  );
});
