import {
  busLoss,
  type InitFailureMessage,
  type SxidMessage,
} from '../../../src/importer/formats/xid/recognize.ts';
import { type LocatedEntry, Recorder } from '../../../src/importer/formats/xid/record.ts';
import { xidKey, type StoredRecords } from '../../../src/importer/formats/xid/stored-records.ts';
import { alertIdOf } from '../../../src/importer/formats/xid/xid-records.ts';
import { RecordReader } from '../../../src/importer/records/record-reader.ts';

const AT = '2026-11-21T06:24:18.000Z';
const reader = new RecordReader({ customerId: 1, workspaceId: 10, apiKeyId: null }, () => Date.parse(AT));
const PCI = '00000000:9B:00.0';
const SLOT = `node-1|${PCI}`;
const UNKNOWN_ID = `node-1|${PCI}|`;
const XID = { ...busLoss(PCI), code: 31, text: 'it failed', pid: 7, processName: 'python' };
const SXID: SxidMessage = { kind: 'sxid', pci: PCI, code: 20034, fatal: true, text: 'Fatal, Link 63' };
const INIT_FAILURE: InitFailureMessage = { kind: 'init_failure', pci: PCI, text: 'RmInitAdapter failed!' };

const entry = (message: LocatedEntry['message'], fields: Partial<LocatedEntry> = {}): LocatedEntry => ({
  kind: 'located',
  message,
  host: 'node-1',
  slot: SLOT,
  gpuId: undefined,
  at: AT,
  line: { kind: 'dated', host: 'node-1', atMs: Date.parse(AT), message: '', orderMicroseconds: 0 },
  lines: [{ number: 12, text: 'the line' }],
  ...fields,
});
const gpu = (gpu_id: string) => ({
  gpu_id,
  model: 'H100',
  vendor: 'NVIDIA',
  driver_version: '',
  firmware_version: '',
  serial_number: '',
  workspace_id: 11,
});
const stored = (fields: Partial<StoredRecords> = {}): StoredRecords => ({
  bySlot: new Map(),
  byId: new Map(),
  byXid: new Map(),
  alertIds: new Set(),
  ...fields,
});
const KNOWN = stored({ bySlot: new Map([[SLOT, gpu('GPU-1')]]), byId: new Map([['GPU-1', gpu('GPU-1')]]) });
const IMPORTED = new Map([[xidKey({ at: AT, slot: SLOT, code: 31 }), 'GPU-0']]);

const EVENT = {
  kind: 'xid_event',
  at: AT,
  code: 31,
  message: 'it failed',
  occurrence: 0,
  sequence: 12,
  hostname: 'node-1',
  pcie_address: PCI,
  pid: 7,
  process_name: 'python',
};
const unknownGpu = (gpu_id: string) => ({ kind: 'gpu', gpu_id, hostname: 'node-1', pcie_address: PCI });
const WITH_MICROSECONDS = { ...entry(XID).line, orderMicroseconds: 2_000_000_009 };

test.each<[title: string, entries: LocatedEntry[], stored: StoredRecords, records: object[]]>([
  ['an XID of a stored GPU', [entry(XID)], KNOWN, [{ ...EVENT, gpu_id: 'GPU-1' }]],
  [
    'an XID of an unknown GPU',
    [entry(XID)],
    stored(),
    [unknownGpu(UNKNOWN_ID), { ...EVENT, gpu_id: UNKNOWN_ID }],
  ],
  [
    'an XID of a board that the driver reported',
    [entry(XID, { gpuId: 'GPU-2' })],
    KNOWN,
    [unknownGpu('GPU-2'), { ...EVENT, gpu_id: 'GPU-2' }],
  ],
  [
    'an imported XID, with its GPU of then',
    [entry(XID, { gpuId: 'GPU-2' })],
    { ...KNOWN, byXid: IMPORTED, byId: new Map([['GPU-0', gpu('GPU-0')]]) },
    [{ ...EVENT, gpu_id: 'GPU-0' }],
  ],
  [
    'equal XIDs, with their number and one GPU',
    [entry(XID), entry(XID)],
    stored(),
    [unknownGpu(UNKNOWN_ID), { ...EVENT, occurrence: 0 }, { ...EVENT, occurrence: 1 }],
  ],
  [
    'an XID with microseconds, modulo 1,000 seconds',
    [entry(XID, { line: WITH_MICROSECONDS, lines: [{ number: 3_000_012, text: '' }] })],
    KNOWN,
    [{ ...EVENT, sequence: 9_000_012 }],
  ],
  [
    'an SXid',
    [entry(SXID)],
    KNOWN,
    [
      { kind: 'timeline_event', event_type: 'sxid', event_info: `SXid (${PCI}): 20034, Fatal, Link 63` },
      { kind: 'alert', title: 'NVSwitch SXid 20034: fatal', severity: 'high', type: 'gpu_nvlink' },
    ],
  ],
  [
    'an SXid that is not fatal',
    [entry({ ...SXID, fatal: false })],
    KNOWN,
    [{ kind: 'timeline_event' }, { title: 'NVSwitch SXid 20034: non-fatal', severity: 'low' }],
  ],
  [
    'a failed initialization of a stored GPU',
    [entry(INIT_FAILURE)],
    KNOWN,
    [
      {
        kind: 'alert',
        type: 'gpu_driver_access',
        severity: 'critical',
        description: `RmInitAdapter failed! (${PCI})`,
        gpu_id: 'GPU-1',
        gpu_model: 'H100',
        gpu_serial: null,
        workspace_id: 11,
        resource_details: { gpu_details: { gpu_id: 'GPU-1', host_id: 'node-1', node: 'node-1' } },
      },
      { kind: 'timeline_event', event_type: 'init_failure' },
    ],
  ],
  [
    'a failed initialization of an unknown GPU',
    [entry({ ...INIT_FAILURE, pci: null })],
    stored(),
    [{ kind: 'alert', description: 'RmInitAdapter failed!', workspace_id: 10 }, { kind: 'timeline_event' }],
  ],
  [
    'a failed initialization with a stored alert',
    [entry(INIT_FAILURE)],
    { ...KNOWN, alertIds: new Set([alertIdOf(1, INIT_FAILURE, { slot: SLOT, at: AT })]) },
    [{ kind: 'timeline_event' }],
  ],
])('records %s', (_title, entries, known, records) => {
  const recorder = new Recorder('log', reader, 1);
  const items = entries.flatMap((one) => recorder.record(one, known));
  expect(items.map((item) => ('record' in item ? item.record : item))).toMatchObject(records);
});

test('attributes the lines of an entry to its last record', () => {
  const [gpuItem, event] = new Recorder('log', reader, 1).record(entry(XID), stored());
  expect(gpuItem?.origin).toEqual({ file: 'log', lines: [] });
  expect(event?.origin).toEqual({ file: 'log', lines: [{ number: 12, text: 'the line' }] });
});

test('returns one fault for an invalid record, and creates the GPU with the next valid one', () => {
  const recorder = new Recorder('log', reader, 1);
  expect(recorder.record(entry({ ...XID, text: 'nul\0' }), stored())).toEqual([
    {
      fault: expect.stringMatching(/NUL/),
      origin: { file: 'log', lines: [{ number: 12, text: 'the line' }] },
    },
  ]);
  expect(recorder.record(entry(XID), stored())).toHaveLength(2);
});
