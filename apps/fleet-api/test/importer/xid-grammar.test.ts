import fc from 'fast-check';
import { importXid } from '../../src/importer/formats/xid/import-xid.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importText } from '../support/import-records.ts';

const VARIANTS = 200;
const BOOT_MS = Date.now() - 3_600_000;

const database = useFleetDatabase();

/** Formats of `nvErrorLog` in NVIDIA's open kernel modules (src/nvidia/kernel/core/system.c), and of older drivers. */
const address = fc.constantFrom(
  'PCI:0000:3b:00',
  'PCI:0018:01:00',
  '0000:3b:00',
  'PCI:0000:3B:00.0',
  'PCI:00010000:3b:00',
);
const partition = fc.constantFrom('', '', ' GPU-I:01', ' GPU-I:13 GPU-CI:02');
const process = fc.constantFrom(
  '',
  'pid=4711, name=python3.12, ',
  "pid='4711', name=ray::Worker, ",
  "pid='<unknown>', name=<unknown>, ",
  'pid=4711, name=my prog (x86), ',
  'pid=4711, ',
);
const error: fc.Arbitrary<[code: number, text: string]> = fc.constantFrom(
  [8, 'Channel 00000001'],
  [13, 'Graphics SM Warp Exception on (GPC 0, TPC 1, SM 0): Out Of Range Address'],
  [13, 'Graphics Exception: ESR 0x504e48=0x10e0000 0x504e50=0x0'],
  [31, 'Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f2e_80c00000.'],
  [43, 'Ch 00000010'],
  [45, 'Ch 00000010, errorString CTX SWITCH TIMEOUT, Info 0x3c046'],
  [48, 'An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at partition 6.'],
  [62, '0cb5(2d50) 00000000 00000000'],
  [63, 'Row Remapper: New row (0x0000000000000000) marked for remapping, reset gpu to activate.'],
  [74, 'NVLink: fatal error detected on link 0(0x10000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)'],
  [79, 'GPU has fallen off the bus.'],
  [94, 'Contained: SM (0x1). RST: No, D-RST: No'],
  [119, 'Timeout after 6s of waiting for RPC response from GPU0 GSP! Expected function 76 (GSP_RM_CONTROL)'],
  [145, 'RLW_REMAP Nonfatal XC0 i0 Link 13 (0x00000004 0x00000008 0x00000000)'],
  [149, 'NETIR_LINK_EVT Fatal XC0 i0 Link 08 (0x004505c6 0x00000000 0x00000000)'],
  [154, 'GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)'],
  [999, 'a code of a later driver'],
  [31, ''],
);
const fault: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(address, partition, process, error)
      .map(([pci, part, who, [code, text]]) =>
        `NVRM: Xid (${pci}${part}): ${code}, ${who}${text}`.trimEnd().replace(/,$/, ''),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.',
      'NVRM: GPU at PCI:0000:3b:00 : GPU has fallen off the bus',
      'NVRM: GPU at 0000:3b:00.0 has fallen off the bus.',
      'NVRM: GPU 0000:3b:00.0: RmInitAdapter failed! (0x62:0x0:2015)',
      'NVRM: RmInitAdapter failed! (0x26:0xffff:1290)',
      'nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Non-fatal, Link 46 MC TS crumbstore MCTO (First)',
      'nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, Fatal, Link 63 LTSSM Fault Up',
    ),
  },
);
/** Lines that are cut or changed on the way. */
const broken: fc.Arbitrary<string> = fc.constantFrom(
  'NVRM: Xid (PCI:0000:3b',
  'NVRM: Xid (PCI:0000:3b:00): 7x',
  'NVRM: Xid (PCI:0000:3b:00): 0, none',
  'NVRM: Xid (PCI:0000:3b:00) 79, no colon',
  'NVRM: the board has fallen off the bus',
  'nvidia-nvswitch0: SXid (PCI:0000:05:00.0): 20034, neither',
);

const at = (offsetMs: number) => new Date(BOOT_MS + offsetMs).toISOString();
const iso = (offsetMs: number) => at(offsetMs).replace('Z', '000+00:00');
/** Formats of programs that print the kernel log with a host. */
const print: ((host: string, offsetMs: number, text: string) => string)[] = [
  (host, offset, text) => `${iso(offset)} ${host} kernel: ${text}`,
  (host, offset, text) =>
    `${iso(offset)} ${host} kernel: [${(offset / 1_000).toFixed(6).padStart(12)}] ${text}`,
  (host, offset, text) => `<4>1 ${at(offset)} ${host} kernel - - - ${text}`,
  (host, offset, text) => `Sat ${at(offset).slice(0, 19).replace('T', ' ')} UTC ${host} kernel: ${text}`,
  (host, offset, text) => `${((BOOT_MS + offset) / 1_000).toFixed(6)} ${host} kernel: ${text}`,
  (host, offset, text) => `[${(offset / 1_000).toFixed(6).padStart(12)}] ${host} kernel: ${text}`,
  (host, offset, text) => journal(host, offset, text),
  (host, offset, text) => `data: ${journal(host, offset, text)}`,
  (host, offset, text) => `\u001E${journal(host, offset, text)}`,
  (host, offset, text) => journal(host, offset, [...Buffer.from(`\u001B[31m${text}\u001B[0m`)]),
  (host, offset, text) => `\u001B[32m${iso(offset)}\u001B[0m ${host} kernel: ${text}`,
];
const journal = (host: string, offsetMs: number, MESSAGE: unknown) =>
  JSON.stringify({ _HOSTNAME: host, __REALTIME_TIMESTAMP: String((BOOT_MS + offsetMs) * 1_000), MESSAGE });
const wrap: ((line: string) => string)[] = [
  (line) => line,
  (line) => line,
  (line) => `${at(0)} stdout F ${line}`,
  (line) => `[pod/kmsg-x7/kmsg] ${line}`,
  (line) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: at(0) }),
];

test(`none of ${VARIANTS} variants of the driver's lines is lost`, async () => {
  const variants = fc.sample(
    fc.record({
      text: fc.oneof({ weight: 9, arbitrary: fault }, { weight: 1, arbitrary: broken }),
      printer: fc.constantFrom(...print),
      wrapper: fc.constantFrom(...wrap),
      offsetMs: fc.integer({ min: 1_000, max: 3_000_000 }),
    }),
    { numRuns: VARIANTS, seed: 12 },
  );
  // Each line has a different host.
  const lines = variants.map(({ text, printer, wrapper, offsetMs }, n) =>
    wrapper(printer(`node-${n + 1}`, offsetMs, text)),
  );
  const { rejects } = await importText(database.importerUrl, lines.join('\n'), (job) =>
    importXid(job, { customerId: 1, host: null, bootTimeMs: BOOT_MS, utcOffsetMinutes: 0 }),
  );
  const stored = await rowsOf<{ hostname: string }>(
    database.administratorUrl,
    'SELECT hostname FROM fleet.alerts UNION SELECT hostname FROM fleet.gpus JOIN fleet.gpu_xid_events USING (customer_id, gpu_id)',
  );
  const hosts = new Set(stored.map(({ hostname }) => hostname));
  const reasons = new Map(rejects.map(({ line, reason }) => [line, reason]));
  const brokenTexts = new Set(fc.sample(broken, { numRuns: 100, seed: 1 }));
  variants.forEach(({ text }, n) => {
    const outcome = [lines[n], hosts.has(`node-${n + 1}`) ? 'stored' : (reasons.get(n + 1) ?? 'lost')];
    expect(outcome).toEqual([
      lines[n],
      brokenTexts.has(text)
        ? expect.stringMatching(/not a line of the driver|not an XID|no PCI address|neither Fatal nor/)
        : 'stored',
    ]);
  });
});
