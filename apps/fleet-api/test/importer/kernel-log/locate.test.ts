import type { DatedLine, UndatedLine } from '../../../src/importer/formats/xid/date.ts';
import { Locator } from '../../../src/importer/formats/xid/locate.ts';
import { busLoss, type Message } from '../../../src/importer/formats/xid/recognize.ts';

const PCI = '00000000:9B:00.0';
const FIRST_MS = Date.parse('2026-11-21T06:24:18Z');
const on = (host: string | null, atMs = FIRST_MS): DatedLine => ({
  kind: 'dated',
  host,
  atMs,
  message: '',
  orderMicroseconds: 0,
});
const UNDATED: UndatedLine = { kind: 'undated', fault: 'the line has no time', message: '' };
const XID: Message = { ...busLoss(PCI), code: 31 };
const BOARD: Message = { kind: 'board', pci: PCI, gpuId: 'GPU-1' };
const DEVICE: Message = { kind: 'device', pci: PCI };
const BUS_LOSS: Message = { kind: 'bus_loss', pci: null };
const BUS_LOSS_OF_PCI: Message = { kind: 'bus_loss', pci: PCI };
const FAULT: Message = { kind: 'fault', fault: 'not a line of the driver' };
const fault = (text: string) => ({ kind: 'fault', fault: text });
const at = (atMs: number) => new Date(atMs).toISOString();

type Step = [line: DatedLine | UndatedLine, message: Message];

test.each<[title: string, host: string | null, steps: Step[], located: object]>([
  [
    'an XID on the host of its line',
    null,
    [[on('Node-1'), XID]],
    {
      kind: 'located',
      message: XID,
      host: 'Node-1',
      slot: `node-1|${PCI}`,
      gpuId: undefined,
      at: at(FIRST_MS),
    },
  ],
  [
    'an XID on the host of all lines',
    'node-9',
    [[on('node-1'), XID]],
    { host: 'node-9', slot: `node-9|${PCI}` },
  ],
  ['an XID without a host', null, [[on(null), XID]], fault('the line has no host: set --host')],
  ['an XID without a time', 'node-9', [[UNDATED, XID]], fault('the line has no time')],
  [
    'a failed initialization without an address',
    null,
    [[on('node-1'), { kind: 'init_failure', pci: null, text: 'RmInitAdapter failed!' }]],
    { kind: 'located', slot: 'node-1|', gpuId: undefined },
  ],
  ['another subject', null, [[on('node-1'), { kind: 'other' }]], { kind: 'other' }],
  ['a message that cannot be parsed, also without a time', null, [[UNDATED, FAULT]], FAULT],
  ['the UUID of a board', null, [[on('node-1'), BOARD]], { kind: 'board' }],
  ['the UUID of a board without a host', null, [[on(null), BOARD]], { kind: 'board' }],
  ['the UUID of a board without a time', null, [[UNDATED, BOARD]], { kind: 'other' }],
  [
    'an XID after the UUID of its board',
    null,
    [
      [on('node-1'), BOARD],
      [on('NODE-1'), XID],
    ],
    { gpuId: 'GPU-1' },
  ],
  [
    'an XID after the UUIDs of two boards in the slot',
    null,
    [
      [on('node-1'), BOARD],
      [on('node-1'), { ...BOARD, gpuId: 'GPU-2' }],
      [on('node-1'), XID],
    ],
    { gpuId: 'GPU-2' },
  ],
  [
    'an XID after the UUID of a board on another host',
    null,
    [
      [on('node-2'), BOARD],
      [on('node-1'), XID],
    ],
    { gpuId: undefined },
  ],
  ['the first line of a message', null, [[on('node-1'), DEVICE]], { kind: 'other' }],
  [
    'the last line of a message',
    null,
    [
      [on('node-1'), DEVICE],
      [on('node-1', FIRST_MS + 1), BUS_LOSS],
    ],
    { kind: 'located', message: busLoss(PCI), host: 'node-1', at: at(FIRST_MS + 1) },
  ],
  [
    'the last line of a message, without a time',
    null,
    [
      [on('node-1'), DEVICE],
      [UNDATED, BUS_LOSS],
    ],
    { kind: 'located', message: busLoss(PCI), host: 'node-1', at: at(FIRST_MS) },
  ],
  [
    'the last lines of messages of two hosts',
    null,
    [
      [on('node-1'), DEVICE],
      [on('node-2'), { ...DEVICE, pci: '00000000:0A:00.0' }],
      [on('node-1'), BUS_LOSS],
    ],
    { message: busLoss(PCI), host: 'node-1' },
  ],
  [
    'the last line of a message on another host',
    null,
    [
      [on('node-1'), DEVICE],
      [on('node-2'), BUS_LOSS],
    ],
    fault('the line before, with the GPU, is missing'),
  ],
  [
    'the last line of a message after a first line without a time',
    null,
    [
      [UNDATED, DEVICE],
      [on('node-1'), BUS_LOSS],
    ],
    fault('the line before, with the GPU, is missing'),
  ],
  [
    'a lost GPU without an XID',
    null,
    [[on('node-1'), BUS_LOSS_OF_PCI]],
    { kind: 'located', message: busLoss(PCI) },
  ],
  ['a lost GPU without a time', null, [[UNDATED, BUS_LOSS_OF_PCI]], fault('the line has no time')],
  [
    'a lost GPU within a minute after its XID 79',
    null,
    [
      [on('node-1'), busLoss(PCI)],
      [on('NODE-1', FIRST_MS + 59_999), BUS_LOSS_OF_PCI],
    ],
    { kind: 'other' },
  ],
  [
    'a lost GPU a minute after its XID 79',
    null,
    [
      [on('node-1'), busLoss(PCI)],
      [on('node-1', FIRST_MS + 60_000), BUS_LOSS_OF_PCI],
    ],
    { kind: 'located', at: at(FIRST_MS + 60_000) },
  ],
  [
    'a lost GPU after another XID, or after XID 79 of another host',
    null,
    [
      [on('node-1'), XID],
      [on('node-2'), busLoss(PCI)],
      [on('node-1'), BUS_LOSS_OF_PCI],
    ],
    { kind: 'located', host: 'node-1' },
  ],
])('locates %s', (_title, host, steps, expected) => {
  const locator = new Locator(host);
  const located = steps.map(([line, message]) => locator.locate(line, message));
  expect(located.at(-1)).toMatchObject(expected);
});
