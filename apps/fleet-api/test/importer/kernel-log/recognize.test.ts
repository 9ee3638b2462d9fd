import { mayBeFault } from '../../../src/importer/formats/xid/driver-text.ts';
import { recognize } from '../../../src/importer/formats/xid/recognize.ts';

const XID = 'NVRM: Xid (PCI:0000:9b:00): 79, pid=4711, name=python, GPU has fallen off the bus.';

describe('parses the message of the driver', () => {
  const xid = { kind: 'xid', pci: '00000000:9B:00.0', code: 79, pid: null, processName: null, text: '' };
  const busLoss = { kind: 'bus_loss', pci: xid.pci };
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
    ['NVRM: fallen off the bus and is not responding to commands.', { kind: 'bus_loss', pci: null }],
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
      'detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci bus id 00000000:05:00.0 physical id 8 port 44',
      {
        kind: 'sxid',
        pci: '00000000:05:00.0',
        code: 12028,
        fatal: false,
        text: 'detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci bus id 00000000:05:00.0 physical id 8 port 44',
      },
    ],
    [
      'NVRM: GPU at PCI:0000:9b:00: GPU-509665ad-b600-ac93-3616-d754b23d636d',
      { kind: 'board', pci: '00000000:9B:00.0', gpuId: 'GPU-509665ad-b600-ac93-3616-d754b23d636d' },
    ],
    ['nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Data {0x50610002, 0x10100030}', { kind: 'other' }],
    ['nvidia-nvswitch2: SXid (PCI:0000:07:00.0): 20034, Severity 1 Engine instance 60', { kind: 'other' }],
    ['NVRM: GPU 0000:91:00.0: GPU serial number is 1653723052734.', { kind: 'other' }],
    ['NVRM: The NVIDIA GPU nowhere', { kind: 'other' }],
    ['NVRM: GPU at nowhere: GPU-509665ad', { kind: 'other' }],
    ['usb 1-2: New USB device found', { kind: 'other' }],
  ])('%s', (message, expected) => {
    expect(recognize(message)).toEqual(expected);
  });

  test.each([
    ['NVRM: Xid (invalid): some error', /not a line of the driver/],
    ['NVRM: Xid (PCI:zz:9b:00): 79', /PCI:zz:9b:00 is not a PCI address/],
    ['NVRM: Xid (PCI:0000:9b:00): 0', /0 is not an XID/],
    ['NVRM: Xid (PCI:0000:9b:00): 100001, x', /100001 is not an XID/],
    ['NVRM: GPU at nowhere: GPU has fallen off the bus.', /no PCI address of a GPU/],
    ['NVRM: The NVIDIA GPU nowhere has fallen off the bus', /no PCI address of a GPU/],
    ['nvidia-nvswitch0: SXid (nowhere): 20034, Fatal', /nowhere is not a PCI address/],
    ['NVRM: the board has fallen off the bus', /no PCI address of a GPU/],
    ['the GPU has fallen off the bus, says a monitor', /no PCI address of a GPU/],
    ['{"reason":"XidHardwareFailure"}', /not a line of the driver/],
    ['detected NVSwitch fatal error 20034', /not a line of the driver/],
    ['nvidia-nvswitch0: SXid (PCI:0000:00:00.0): xyz, Fatal error', /not a line of the driver/],
    ['nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, error', /neither Fatal nor Non-fatal/],
  ])('rejects %s', (message, reason) => {
    expect(recognize(message)).toEqual({ kind: 'fault', fault: expect.stringMatching(reason) });
  });
});

test.each<[text: string, expected: boolean]>([
  [`[1.5] ${XID}`, true],
  ['[1.5] NVRM: GPU 0000:1a:00.0: RmInitAdapter failed! (0x24:0x65:1423)', true],
  ['[ERROR] [tid 1] detected NVSwitch fatal error 20034', true],
  ['{"MESSAGE":"usb 1-2: New USB device found"}', false],
  ['[1.5] NVRM: GPU 0000:91:00.0: GPU serial number is 1653723052734.', false],
])('decides whether %s may be a fault', (text, expected) => {
  expect(mayBeFault(text)).toBe(expected);
});
