import { kernelLogUnwrapper, lineFault } from '../../../src/importer/formats/xid/unwrap.ts';

const TIME = '2026-11-21T06:24:18.250Z';
const XID = 'NVRM: Xid (PCI:0000:9b:00): 79, it failed';
const docker = (log: string) => JSON.stringify({ log, stream: 'stdout', time: TIME });
const message = (time: unknown, msg: string) => JSON.stringify({ pri: 3, time, msg });

test.each<[format: string, lines: string[], entries: [text: string, time: string | null, lines: number[]][]]>(
  [
    ['a plain line', ['[1.5] usb'], [['[1.5] usb', null, [1]]]],
    ['terminal colors', ['\u001B[32m[1.5] \u001B[0musb'], [['[1.5] usb', null, [1]]]],
    ['kubectl logs --prefix', ['[pod/kmsg-x7/kmsg] [1.5] usb'], [['[1.5] usb', null, [1]]]],
    ['kubectl logs --timestamps', [`${TIME} [1.5] usb`], [['[1.5] usb', TIME, [1]]]],
    [
      'a time that belongs to the line',
      [`${TIME} node-1 kernel: usb`],
      [[`${TIME} node-1 kernel: usb`, null, [1]]],
    ],
    ['CRI', [`${TIME} stdout F [1.5] usb`], [['[1.5] usb', TIME, [1]]]],
    ['CRI in parts', [`${TIME} stdout P [1.5] `, `${TIME} stdout F usb`], [['[1.5] usb', TIME, [1, 2]]]],
    ['CRI without an end', [`${TIME} stdout P [1.5] `], []],
    ['json-file of Docker', [docker('[1.5] usb\n')], [['[1.5] usb', TIME, [1]]]],
    ['json-file of Docker in parts', [docker('[1.5] '), docker('usb\r\n')], [['[1.5] usb', TIME, [1, 2]]]],
    ['CRI in a pod', [`[pod/a/b] ${TIME} stderr F [1.5] usb`], [['[1.5] usb', TIME, [1]]]],
    ['journalctl -o json-sse', ['data: {"MESSAGE":"usb"}'], [['{"MESSAGE":"usb"}', null, [1]]]],
    ['journalctl -o json-seq', ['\u001E{"MESSAGE":"usb"}'], [['{"MESSAGE":"usb"}', null, [1]]]],
    ['syslog, RFC 3164, of JSON', ['Nov 21 06:24:18 node-1 app: {"a":1}'], [['{"a":1}', null, [1]]]],
    ['syslog, RFC 5424, of JSON', [`<4>1 ${TIME} node-1 app - - - {"a":1}`], [['{"a":1}', null, [1]]]],
    [
      'dmesg --json',
      [
        '{',
        '   "dmesg": [',
        '      {',
        '         "time":   600.000000,',
        `         "msg": "${XID}"`,
        '      },{',
        '         "time": "2026-11-21T06:24:18,123456+00:00",',
        `         "msg": "${XID}"`,
        '      }',
        '   ]',
        '}',
      ],
      [
        ['', null, [1]],
        ['', null, [2]],
        [XID, '[600.000000]', [3, 4, 5, 6]],
        [XID, '2026-11-21T06:24:18,123456+00:00', [7, 8, 9]],
        ['', null, [10]],
        ['', null, [11]],
      ],
    ],
    [
      'dmesg --json in one line',
      [`{"dmesg": [${message(1, XID)},${message(2, 'b')},${message(3, XID)}]}`],
      [
        [XID, '[1.000000]', [1]],
        [XID, '[3.000000]', [1]],
      ],
    ],
    ['a list of dmesg --json', [`[${message(1, XID)}]`], [[XID, '[1.000000]', [1]]]],
    [
      'lines that only begin as JSON',
      ['{', '"a": 1', '[1.5] usb'],
      [
        ['{', null, [1]],
        ['"a": 1', null, [2]],
        ['[1.5] usb', null, [3]],
      ],
    ],
    ['dmesg --json that is cut', ['{"dmesg": [{"pri":3'], [['{"dmesg": [{"pri":3', null, [1]]]],
  ],
)('unwraps %s', (_format, lines, entries) => {
  const unwrapper = kernelLogUnwrapper();
  const unwrapped = lines.flatMap((text, index) => unwrapper.unwrap({ number: index + 1, text }));
  expect(
    unwrapped.map(({ text, time, lines: own }) => [text, time, own.map(({ number }) => number)]),
  ).toEqual(entries);
});

test('returns the lines of an entry without its end', () => {
  const unwrapper = kernelLogUnwrapper();
  const line = { number: 1, text: `${TIME} stdout P usb` };
  expect(unwrapper.unwrap(line)).toEqual([]);
  expect(unwrapper.takeIncompleteLines()).toEqual([line]);
});

test.each([
  ['usb', undefined, undefined],
  ['usb', 'too long', 'too long'],
  ['{"dmesg": [{"pri":3…', 'too long', 'too long: import dmesg -J as it is printed, with one field per line'],
])('the fault of an entry %s with a line that is %s', (text, fault, expected) => {
  const line = { number: 1, text, ...(fault === undefined ? {} : { fault }) };
  expect(lineFault({ text, lines: [line] })).toBe(expected);
});
