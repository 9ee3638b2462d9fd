import { DCGM_FIELDS } from '../../src/importer/formats/dcgm/dcgm-fields.ts';
import { DCGM_FORMAT } from '../../src/importer/formats/dcgm/dcgm-format.ts';
import { ExporterPage } from '../../src/importer/formats/exporters/exporter-page.ts';
import { RecordReader } from '../../src/importer/records/record-reader.ts';
import { XidCatalog } from '../../src/model/health/xid-catalog.ts';
import fc from 'fast-check';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const AT = new Date('2026-11-21T11:00:00Z');
const UUID = 'GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52';

interface Read {
  gpus: Record<string, unknown>[];
  samples: Record<string, unknown>[];
  workloads: Record<string, unknown>[];
  faults: Record<string, string>;
  /** How often each line is accounted for. */
  accounted: number[];
  skipped: number;
}

const reader = new RecordReader({ customerId: 1, workspaceId: 10, apiKeyId: null }, () => NOW);
const lineCount = (ignored: ReadonlyMap<string, number>) =>
  [...ignored.values()].reduce((sum, lines) => sum + lines, 0);

function read(lines: string[], at = AT): Read {
  const scrape = new ExporterPage('scrape.prom', at, reader);
  lines.forEach((text, index) => scrape.add({ number: index + 1, text }));
  const items = scrape.finish();
  const result: Read = {
    gpus: [],
    samples: [],
    workloads: [],
    faults: {},
    accounted: lines.map(() => 0),
    skipped: lineCount(scrape.ignored),
  };
  for (const item of items) {
    for (const line of item.origin.lines) {
      result.accounted[line.number - 1] = (result.accounted[line.number - 1] ?? 0) + 1;
      if ('fault' in item) result.faults[line.text] = item.fault;
    }
    if (!('record' in item)) continue;
    const { kind, ...record } = item.record;
    const records = { gpu: result.gpus, gpu_sample: result.samples, gpu_workload: result.workloads };
    records[kind as keyof typeof records].push(record as unknown as Record<string, unknown>);
  }
  return result;
}

/** The one sample of a scrape of one GPU. */
const sampleOf = (lines: string[]) => {
  const { samples, faults, skipped } = read(lines);
  expect(samples).toHaveLength(1);
  return { ...samples[0], faults, skipped };
};
const metric = (name: string, value: number | string, labels = `UUID="${UUID}",Hostname="node-1"`) =>
  `${name}{gpu="0",${labels}} ${value}`;

test.each([
  ['L4', 10, 22_562, 462, 23_034],
  ['GRID A100-10C', 0, 9_216, 1_024, 10_240],
])('the total memory of an %s includes what the driver reserves', (_board, used, free, reserved, total) => {
  const memory = [metric('DCGM_FI_DEV_FB_USED', used), metric('DCGM_FI_DEV_FB_FREE', free)];
  const reservedLine = metric('DCGM_FI_DEV_FB_RESERVED', reserved);
  expect(sampleOf([...memory, reservedLine])).toMatchObject({ memory_total_mib: total, faults: {} });
  expect(sampleOf([reservedLine, ...memory])).toMatchObject({ memory_total_mib: total, faults: {} });
  expect(
    sampleOf([metric('DCGM_FI_DEV_FB_TOTAL', total), metric('DCGM_FI_DEV_FB_USED', used), reservedLine]),
  ).toMatchObject({
    memory_total_mib: total,
    faults: {},
    skipped: 1,
  });
});

test('skips and counts series of the default sets without a field; a page of them alone is not imported', () => {
  const ignored = [
    metric('DCGM_FI_DEV_PCIE_TX_THROUGHPUT', 1_027_729_013),
    metric('DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL', 5e9),
    metric('DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS', 1),
    metric('dcgm_mem_copy_utilization', 12),
  ];
  // Without a format, as in `scrape`: the first known series decides it.
  const scrapeOf = (lines: string[]) => {
    const scrape = new ExporterPage('', AT, reader);
    lines.forEach((text, index) => scrape.add({ number: index + 1, text }));
    return scrape;
  };
  const mixed = scrapeOf([...ignored, metric('DCGM_FI_DEV_GPU_TEMP', 40)]);
  expect(mixed.finish().map((item) => ('record' in item ? item.record.kind : item.fault))).toEqual([
    'gpu',
    'gpu_sample',
  ]);
  expect(Object.fromEntries(mixed.ignored)).toEqual({
    DCGM_FI_DEV_PCIE_TX_THROUGHPUT: 1,
    DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL: 1,
    DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS: 1,
    dcgm_mem_copy_utilization: 1,
  });
  expect(mixed.formatFault()).toBeNull();
  const alone = scrapeOf(ignored);
  expect(alone.finish()).toEqual([]);
  expect(alone.formatFault()).toMatch(/^the page has no series of dcgm-exporter/);
});

test('reads activity as percent, PCIe traffic in MB/s and the energy counter', () => {
  const expected = {
    tensor_active_pct: 12.3457,
    dram_active_pct: 0.05,
    pcie_tx_mb_per_second: 64_000.000001,
    pcie_rx_mb_per_second: 0,
    energy_millijoules_total: 74_881_269_921,
    faults: {},
  };
  const names = [
    ['DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 'DCGM_FI_PROF_DRAM_ACTIVE'],
    ['DCGM_FI_PROF_TENSOR_UTIL_RATIO', 'DCGM_FI_PROF_DRAM_UTIL_RATIO'],
  ] as const;
  for (const [tensor, dram] of names)
    expect(
      sampleOf([
        metric(tensor, 0.123457),
        metric(dram, '5.000000e-04'),
        metric('DCGM_FI_PROF_PCIE_TX_BYTES', 64_000_000_001),
        metric('DCGM_FI_PROF_PCIE_RX_BYTES', 0),
        metric('DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION', 74_881_269_921),
      ]),
    ).toMatchObject(expected);
  const blank = ['9223372036854775794', 'NaN', '+Inf', 2_147_483_632];
  for (const value of blank)
    expect(
      sampleOf([
        metric('DCGM_FI_DEV_GPU_TEMP', 40),
        metric('DCGM_FI_PROF_DRAM_ACTIVE', value),
        metric('DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION', value),
      ]),
    ).toMatchObject({ dram_active_pct: null, energy_millijoules_total: null, faults: {} });
});

test('reads the names of dcgm-exporter 1', () => {
  expect(
    sampleOf([
      metric('dcgm_gpu_utilization', 91),
      metric('dcgm_fb_used', 10),
      metric('dcgm_memory_temp', 47),
      metric('dcgm_fi_prof_gr_engine_active', 0.5),
      metric('dcgm_fi_prof_pipe_tensor_active', 0.25),
      metric('dcgm_fi_prof_pcie_rx_bytes', 2_500_000),
      metric('dcgm_total_energy_consumption', 5e12),
      metric('dcgm_retired_pages_pending', 1),
      metric('dcgm_row_remap_failure', 0),
      metric('dcgm_uncorrectable_remapped_rows', 2),
    ]),
  ).toMatchObject({
    utilization_pct: 91,
    memory_used_mib: 10,
    memory_temperature_c: 47,
    tensor_active_pct: 25,
    pcie_rx_mb_per_second: 2.5,
    energy_millijoules_total: 5e12,
    row_remap_pending: true,
    row_remap_failed: false,
    remapped_rows_total: 2,
  });
});

test('a GPU without a Hostname label has the name of the target', () => {
  const scrape = new ExporterPage('', AT, reader, { hosts: { fallback: 'node-7' } });
  scrape.add({ number: 1, text: metric('DCGM_FI_DEV_GPU_UTIL', 1, `UUID="${UUID}"`) });
  scrape.add({ number: 2, text: metric('DCGM_FI_DEV_GPU_UTIL', 1, 'pci_bus_id="00000000:53:00.0"') });
  expect(scrape.finish().flatMap((item) => ('record' in item ? [item.record] : []))).toMatchObject([
    { kind: 'gpu', hostname: 'node-7', gpu_id: UUID },
    { kind: 'gpu_sample' },
    { kind: 'gpu', hostname: 'node-7', gpu_id: 'node-7|00000000:53:00.0|' },
    { kind: 'gpu_sample' },
  ]);
});

test.each([
  ['', /^the page has no series of dcgm-exporter: it is empty$/],
  ['# EOF', /: it is empty$/],
  ['<html><body>404</body></html>', /but looks like HTML$/],
  ['<?xml version="1.0" ?>', /looks like XML of nvidia-smi: use the adapter nvidia-smi$/],
  [
    '====NVSMI LOG====',
    /looks like text of nvidia-smi \(print XML with nvidia-smi -q -x\): use the adapter nvidia-smi$/,
  ],
  ['[  600.000000] NVRM: Xid (PCI:0000:9b:00): 79, x', /looks like a kernel log: use the adapter xid$/],
  ['{"output":"x","priority":"Notice","rule":"y"}', /looks like Falco alerts: use the adapter falco$/],
  ['{"kind":"gpu"}', /looks like records: use the adapter ndjson$/],
  ['{"status":"success"}', /but looks like JSON$/],
  ['0, NVIDIA L4, 5 %', /dcgm-exporter \(line 1: not a Prometheus sample/],
])('describes input without a sample: %s', (line, reason) => {
  const scrape = new ExporterPage('', AT, reader, { format: DCGM_FORMAT });
  scrape.add({ number: 1, text: line });
  expect(scrape.formatFault()).toMatch(reason);
});

test.each([
  [
    'nvidia_smi_utilization_gpu_ratio{uuid="604ac76c"} 0.5',
    /looks like nvidia_gpu_exporter: use the adapter nvidia-gpu-exporter$/,
  ],
  ['gpu_gfx_activity{gpu_id="0"} 12', /looks like AMD device-metrics-exporter: use the adapter amd$/],
  ['node_load1 0.5', /looks like node_exporter/],
  ['up 1', /has no series of dcgm-exporter \(it has up\)/],
])('describes a page of another exporter: %s', (line, reason) => {
  const scrape = new ExporterPage('', AT, reader, { format: DCGM_FORMAT });
  scrape.add({ number: 1, text: line });
  expect(scrape.formatFault()).toMatch(reason);
  scrape.add({ number: 2, text: metric('DCGM_FI_DEV_GPU_UTIL', 1) });
  expect(scrape.formatFault()).toBeNull();
});

describe('reads a scrape of', () => {
  test('dcgm-exporter 2.x: no model, no host, spaces between labels', () => {
    const { gpus, samples } = read([
      '# HELP DCGM_FI_DEV_SM_CLOCK SM clock frequency (in MHz).',
      '# TYPE DCGM_FI_DEV_SM_CLOCK gauge',
      `DCGM_FI_DEV_SM_CLOCK{gpu="0", UUID="${UUID}",container="",namespace="",pod=""} 139`,
      `DCGM_FI_DEV_FAN_SPEED{gpu="0", UUID="${UUID}",container="",namespace="",pod=""} 9223372036854775794`,
    ]);
    expect(gpus).toEqual([
      expect.objectContaining({ gpu_id: UUID, vendor: 'NVIDIA', hostname: '', at: AT.toISOString() }),
    ]);
    expect(samples).toEqual([expect.objectContaining({ gpu_id: UUID, sm_clock_mhz: 139, fan_pct: null })]);
  });

  test('dcgm-exporter 3.x: string fields as labels, pods, all stored fields', () => {
    const labels = [
      `UUID="${UUID}",pci_bus_id="00000000:53:00.0",device="nvidia0",modelName="NVIDIA H100 80GB HBM3"`,
      'Hostname="node-1",DCGM_FI_DRIVER_VERSION="580.105.08",DCGM_FI_DEV_VBIOS_VERSION="96.00.89.00.01"',
      'DCGM_FI_DEV_SERIAL="1320222012345",DCGM_FI_CUDA_DRIVER_VERSION="12080",DCGM_FI_DEV_BRAND="NVIDIA"',
      'container="main",namespace="dynamo",pod="p-0"',
    ].join(',');
    const values: [string, number][] = [
      ['GPU_UTIL', 91],
      ['FB_USED', 5120],
      ['FB_FREE', 9791],
      ['GPU_TEMP', 74],
      ['SLOWDOWN_TEMP', 87],
      ['SHUTDOWN_TEMP', 92],
      ['POWER_USAGE', 68.244],
      ['ENFORCED_POWER_LIMIT', 700],
      ['FAN_SPEED', 30],
      ['SM_CLOCK', 1980],
      ['MEM_CLOCK', 2619],
      ['XID_ERRORS', 31],
      ['CLOCK_THROTTLE_REASONS', 4],
      ['ECC_SBE_VOL_TOTAL', 1],
      ['ECC_DBE_VOL_TOTAL', 2],
      ['ROW_REMAP_FAILURE', 0],
      ['ROW_REMAP_PENDING', 1],
      ['NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL', 1],
      ['NVLINK_REPLAY_ERROR_COUNT_TOTAL', 20],
      ['NVLINK_RECOVERY_ERROR_COUNT_TOTAL', 300],
      ['PCIE_REPLAY_COUNTER', 7],
      ['MIG_MODE', 0],
    ];
    const { gpus, samples, faults, accounted } = read(
      values.map(([name, value]) => metric(`DCGM_FI_DEV_${name}`, value, labels)),
    );
    expect(faults).toEqual({});
    expect(accounted).toEqual(values.map(() => 1));
    expect(gpus[0]).toMatchObject({
      gpu_id: UUID,
      vendor: 'NVIDIA',
      model: 'NVIDIA H100 80GB HBM3',
      compute_stack: 'CUDA 12.8',
      driver_version: '580.105.08',
      firmware_version: '96.00.89.00.01',
      hostname: 'node-1',
      pcie_address: '00000000:53:00.0',
      serial_no: '1320222012345',
      mig_enabled: false,
      slowdown_temperature_c: 87,
      shutdown_temperature_c: 92,
    });
    expect(samples[0]).toMatchObject({
      utilization_pct: 91,
      memory_used_mib: 5120,
      memory_total_mib: 14911,
      temperature_c: 74,
      power_draw_w: 68.244,
      power_limit_w: 700,
      fan_pct: 30,
      sm_clock_mhz: 1980,
      memory_clock_mhz: 2619,
      xid_last_code: 31,
      throttle_reasons: 4,
      ecc_single_bit_total: 1,
      ecc_double_bit_total: 2,
      row_remap_failed: false,
      row_remap_pending: true,
      nvlink_errors_total: 321,
      pcie_replays_total: 7,
    });
  });

  test('reads every renamed field and label of DCGM 4.x', () => {
    const labels =
      `DCGM_FI_DEV_GPU_UUID="${UUID}",DCGM_FI_DEV_PCI_BUS_ID="00000000:53:00.0",DCGM_FI_DEV_GPU_NAME="NVIDIA B200",` +
      'hostname="node-1",DCGM_FI_SYSTEM_DRIVER_VERSION="590.48.01",DCGM_FI_DEV_BOARD_SERIAL="165"';
    const renamed = DCGM_FIELDS.filter(
      ({ names, fallbackFor }) => names.length > 1 && fallbackFor === undefined,
    );
    const { gpus, samples, faults } = read(
      renamed.map(({ names }, index) => metric(names[1] as string, index % 2 === 0 ? 1 : 0, labels)),
    );
    expect(faults).toEqual({});
    expect(gpus[0]).toMatchObject({ model: 'NVIDIA B200', driver_version: '590.48.01', serial_no: '165' });
    expect(Object.keys(samples[0] ?? {})).toEqual(
      expect.arrayContaining(
        renamed
          .map(({ recordField }) => recordField)
          .filter((recordField) => !/slowdown|shutdown|limit_c/.test(recordField)),
      ),
    );
  });

  test.each<[number | string, object | RegExp]>([
    [87, { utilization_pct: 87 }],
    [0, { utilization_pct: 0 }],
    [0.87, { utilization_pct: 87 }],
    [1, /1 % in one release of DCGM and 100 % in another/],
  ])('either DCGM 4.x release with a utilization ratio: %s', (value, expected) => {
    const { samples, faults } = read([metric('DCGM_FI_DEV_GPU_UTIL_RATIO', value)]);
    if (expected instanceof RegExp) expect(Object.values(faults)).toEqual([expect.stringMatching(expected)]);
    else expect(samples[0]).toMatchObject(expected);
  });

  test('a GPU without UUID: host|pci|guest', () => {
    const labels = (more: string) => `pci_bus_id="00000000:53:00.0",Hostname="node-1"${more}`;
    const { gpus } = read([
      metric('DCGM_FI_DEV_GPU_TEMP', 40, labels('')),
      metric('DCGM_FI_DEV_GPU_TEMP', 41, labels(',UUID=""')),
      metric('DCGM_FI_DEV_GPU_TEMP', 42, labels(',guest="vm-7"')),
    ]);
    expect(gpus.map(({ gpu_id }) => gpu_id)).toEqual([
      'node-1|00000000:53:00.0|',
      'node-1|00000000:53:00.0|vm-7',
    ]);
  });

  test('lines with timestamps: one sample per timestamp, in order', () => {
    const at = (ms: number) => `${metric('DCGM_FI_DEV_GPU_TEMP', 40 + (ms % 7))} ${ms}`;
    const { samples, faults } = read([
      at(NOW - 60_000),
      at(NOW - 120_000),
      metric('DCGM_FI_DEV_SM_CLOCK', 9),
    ]);
    expect(faults).toEqual({});
    expect(samples.map((sample) => sample.at)).toEqual([
      AT.toISOString(),
      new Date(NOW - 120_000).toISOString(),
      new Date(NOW - 60_000).toISOString(),
    ]);
  });
});

describe('MIG', () => {
  const mig = (
    name: string,
    value: number | string,
    instance: string,
    profile: string,
    model = 'NVIDIA A100',
  ) =>
    metric(
      name,
      value,
      `UUID="${UUID}",modelName="${model}",GPU_I_ID="${instance}",GPU_I_PROFILE="${profile}"`,
    );

  test('uses engine activity of the board when utilization is blank', () => {
    expect(
      sampleOf([
        metric('DCGM_FI_DEV_GPU_UTIL', '9223372036854775794'),
        metric('DCGM_FI_PROF_GR_ENGINE_ACTIVE', 0.99563),
      ]),
    ).toMatchObject({ utilization_pct: 99.563, faults: {} });
  });

  test.each([
    ['NVIDIA A100-SXM4-40GB', (0.5 * 3 + 1 * 4) / 7],
    ['NVIDIA A30', 1],
  ])('weights the activity of instances by their slices of a %s', (model, activity) => {
    const sample = sampleOf([
      mig('DCGM_FI_PROF_GR_ENGINE_ACTIVE', 0.5, '1', '3g.20gb', model),
      mig('DCGM_FI_PROF_GR_ENGINE_ACTIVE', 1, '2', '4g.20gb', model),
    ]);
    expect(sample).toMatchObject({ utilization_pct: Math.round(activity * 1e6) / 1e4, faults: {} });
  });

  test('weights tensor activity like that of the engine, and adds up PCIe traffic', () => {
    const sample = sampleOf([
      mig('DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 0.5, '1', '3g.20gb'),
      mig('DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 0.25, '2', '4g.20gb'),
      mig('DCGM_FI_PROF_PCIE_TX_BYTES', 1_500_000, '1', '3g.20gb'),
      mig('DCGM_FI_PROF_PCIE_TX_BYTES', 2_000_000, '2', '4g.20gb'),
    ]);
    expect(sample).toMatchObject({ tensor_active_pct: 35.7143, pcie_tx_mb_per_second: 3.5, faults: {} });
  });

  test('a utilization on the lines of MIG instances is used only without that of their engines', () => {
    const utilization = [
      mig('DCGM_FI_DEV_GPU_UTIL', 0, '1', '3g.40gb'),
      mig('DCGM_FI_DEV_GPU_UTIL', 7, '2', '3g.40gb'),
    ];
    const engines = [
      mig('DCGM_FI_PROF_GR_ENGINE_ACTIVE', 0.91, '1', '3g.40gb'),
      mig('DCGM_FI_PROF_GR_ENGINE_ACTIVE', 0.88, '2', '3g.40gb'),
    ];
    expect(sampleOf([...utilization, ...engines])).toMatchObject({
      utilization_pct: 76.7143,
      faults: {},
      skipped: 2,
    });
    expect(sampleOf(utilization)).toMatchObject({ utilization_pct: 7, faults: {} });
  });

  test('adds up the used memory of instances, whose total is not that of the board, and sets mig_enabled', () => {
    const lines = [
      mig('DCGM_FI_DEV_FB_USED', 1000, '1', '3g.20gb'),
      mig('DCGM_FI_DEV_FB_FREE', 3000, '1', '3g.20gb'),
      mig('DCGM_FI_DEV_FB_USED', 20, '2', '3g.20gb'),
      mig('DCGM_FI_DEV_FB_FREE', 4000, '2', '3g.20gb'),
    ];
    expect(sampleOf(lines)).toMatchObject({ memory_used_mib: 1020, memory_total_mib: null, faults: {} });
    expect(read(lines).gpus[0]).toMatchObject({ mig_enabled: true });
    const withBoard = [...lines, metric('DCGM_FI_DEV_FB_TOTAL', 40_960)];
    expect(sampleOf(withBoard)).toMatchObject({ memory_used_mib: 1020, memory_total_mib: 40_960 });
  });

  test('prefers the line of the board, and counts those of its instances', () => {
    const { faults, samples, skipped } = read([
      mig('DCGM_FI_PROF_GR_ENGINE_ACTIVE', 0.3, '13', '1g.5gb'),
      metric('DCGM_FI_PROF_GR_ENGINE_ACTIVE', 0.5),
    ]);
    expect(samples[0]).toMatchObject({ utilization_pct: 50 });
    expect([faults, skipped]).toEqual([{}, 1]);
  });

  test('uses the XID of an instance for the board, whichever line is first', () => {
    const lines = [metric('DCGM_FI_DEV_XID_ERRORS', 0), mig('DCGM_FI_DEV_XID_ERRORS', 94, '13', '1g.5gb')];
    expect(sampleOf(lines)).toMatchObject({ xid_last_code: 94, faults: {} });
    expect(sampleOf(lines.reverse())).toMatchObject({ xid_last_code: 94, faults: {} });
  });
});

test('of the XIDs of the last minutes and that of the gauge, the one with the worst health is the reading', () => {
  const window = (code: string, count = 1) =>
    metric(
      'DCGM_EXP_XID_ERRORS_COUNT',
      count,
      `UUID="${UUID}",Hostname="n",window_size_in_ms="300000",xid="${code}"`,
    );
  const codeOf = (...lines: string[]) => {
    const scrape = new ExporterPage('', AT, reader, { xidCatalog: XidCatalog.read() });
    lines.forEach((text, index) => scrape.add({ number: index + 1, text }));
    return scrape
      .finish()
      .flatMap((item) => ('record' in item && item.record.kind === 'gpu_sample' ? [item.record] : []))[0]
      ?.xid_last_code;
  };
  expect(codeOf(window('43'), window('79'), window('31'))).toBe(79);
  expect(codeOf(window('79', 0), window('31'))).toBe(31);
  expect(codeOf(window('', 0))).toBeNull();
  const gauge = (code: number) => metric('DCGM_FI_DEV_XID_ERRORS', code, `UUID="${UUID}",Hostname="n"`);
  expect(codeOf(window('62'), window('45', 3), gauge(45))).toBe(62);
  expect(codeOf(window('31'), gauge(43))).toBe(43);
  expect(codeOf(window('43'), gauge(79))).toBe(79);
  expect(codeOf(window('', 0), gauge(43))).toBe(43);
});

test('an XID of the last minutes without a code is rejected', () => {
  const line = metric('DCGM_EXP_XID_ERRORS_COUNT', 1, `UUID="${UUID}",Hostname="n",xid="N/A"`);
  expect(Object.values(read([line]).faults)).toEqual([
    'DCGM_EXP_XID_ERRORS_COUNT of 0 is not between 1 and 100000',
  ]);
});

test.each<[string, number, string, string | null]>([
  ['DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION', 0, 'healthy', null],
  [
    'DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION',
    2,
    'critical',
    'the driver asks for a recovery action: reboot node',
  ],
  ['DCGM_FI_DEV_GPU_RECOVERY_ACTION', 3, 'degraded', 'the driver asks for a recovery action: drain P2P'],
  ['DCGM_FI_DEV_GPU_RECOVERY_ACTION', 42, 'degraded', 'the driver asks for a recovery action: 42'],
  ['DCGM_FI_DEV_FABRIC_MANAGER_STATUS', 3, 'healthy', null],
  ['DCGM_FI_DEV_FABRIC_MANAGER_STATUS', 4, 'degraded', 'the fabric manager failed'],
  ['DCGM_FI_DEV_SRAM_EXCEEDED', 1, 'degraded', 'the threshold of uncorrectable SRAM errors is exceeded'],
])('reads what %s of %s states', (name, value, source_health, text) => {
  const { source_verdict = null, ...sample } = sampleOf([metric(name, value)]) as Record<string, unknown>;
  expect({ ...sample, source_verdict }).toMatchObject({ source_health, source_verdict: text, faults: {} });
});

test('of several statements about one GPU the worst one counts', () => {
  const check = (name: string, code: string, value: number) =>
    metric(
      'DCGM_EXP_GPU_HEALTH_STATUS',
      value,
      `UUID="${UUID}",Hostname="n",health_watch="${name}",health_error_code="${code}"`,
    );
  const critical = { source_health: 'critical', faults: {} };
  expect(sampleOf([check('MEM', 'A', 10), check('MEM', 'B', 20)])).toMatchObject(critical);
  expect(sampleOf([check('ALL', '', 0), check('NVSWITCH_FATAL', 'A', 20)])).toMatchObject(critical);
  const action = (instance: number, value: number) =>
    metric(
      'DCGM_FI_DEV_GPU_RECOVERY_ACTION',
      value,
      `UUID="${UUID}",Hostname="n",GPU_I_ID="${instance}",GPU_I_PROFILE="1g.10gb"`,
    );
  expect(sampleOf([action(1, 0), action(2, 1), action(3, 4)])).toMatchObject({
    ...critical,
    source_verdict: 'the driver asks for a recovery action: reset GPU',
  });
});

test('the worst health check of DCGM counts, and all that are not passed are the evidence', () => {
  const check = (name: string, value: number) =>
    metric(
      'DCGM_EXP_GPU_HEALTH_STATUS',
      value,
      `UUID="${UUID}",Hostname="n",health_watch="${name}",health_error_code=""`,
    );
  expect(sampleOf([check('PCIE', 0), check('MEM', 10), check('NVLINK', 20), check('NEW', 0)])).toMatchObject({
    source_health: 'critical',
    source_verdict: "DCGM's health check of NVLINK failed; DCGM's health check of MEM has a warning",
    faults: {},
  });
});

test.each([
  [
    'NVLink 5 counters are added up',
    { NVLINK_COUNT_RX_SYMBOL_ERRORS: 3, NVLINK_RECOVERY_FAILED_TOTAL: 2 },
    { nvlink_errors_total: 5 },
  ],
  ['pending page retirement', { RETIRED_PENDING: 1 }, { row_remap_pending: true }],
  [
    'row remapping replaces page retirement',
    { RETIRED_PENDING: 1, ROW_REMAP_PENDING: 0 },
    { row_remap_pending: false },
  ],
  ['the instantaneous power without another', { POWER_USAGE_INSTANT: 250 }, { power_draw_w: 250 }],
  [
    'the mean power before the instantaneous',
    { POWER_USAGE_INSTANT: 250, POWER_USAGE: 240 },
    { power_draw_w: 240 },
  ],
  [
    'fields in SI units',
    { GPU_ENERGY_JOULES_TOTAL: 74, FAN_SPEED_RATIO: 0.4, SM_CLOCK_HERTZ: 1.98e9 },
    { energy_millijoules_total: 74_000, fan_pct: 40, sm_clock_mhz: 1_980 },
  ],
  ['no memory temperature of 0', { MEMORY_TEMP: 0 }, { memory_temperature_c: null }],
])('%s', (_title, fields, expected) => {
  const lines = Object.entries(fields).map(([name, value]) => metric(`DCGM_FI_DEV_${name}`, value));
  expect(sampleOf(lines)).toMatchObject({ ...expected, faults: {} });
});

test('counts known series without a field by name, and rejects others', () => {
  const ignored = [
    'DCGM_FI_DEV_THERMAL_VIOLATION',
    'DCGM_FI_DEV_RETIRED_DBE',
    'DCGM_FI_PROF_SM_ACTIVE',
    'DCGM_FI_DEV_NVLINK_TX_BYTES_TOTAL',
  ];
  const { skipped, faults } = read([...ignored, 'DCGM_FI_DEV_NEW_COUNTER'].map((name) => metric(name, 1)));
  expect([skipped, Object.values(faults)]).toEqual([
    ignored.length,
    ['DCGM_FI_DEV_NEW_COUNTER is not a stored metric'],
  ]);
});

test.each([
  ['node', 'node="node-9",Hostname="dcgm-exporter-wwwjh"', {}, 'node-9'],
  ['Hostname', 'Hostname="node-8"', { fallback: 'target' }, 'node-8'],
  ['the target', '', { fallback: 'target' }, 'target'],
  ['--host', 'node="node-9"', { override: 'node-1', fallback: 'target' }, 'node-1'],
])('takes the host from %s', (_from, labels, hosts, hostname) => {
  const scrape = new ExporterPage('', AT, reader, { hosts });
  scrape.add({ number: 1, text: `DCGM_FI_DEV_GPU_TEMP{UUID="${UUID}",${labels}} 40` });
  expect(scrape.finish()).toMatchObject([{ record: { kind: 'gpu', gpu_id: UUID, hostname } }, {}]);
});

describe('values', () => {
  test.each([
    ['DCGM_FI_DEV_FB_USED', 2147483632],
    ['DCGM_FI_DEV_FB_USED', 2147483647],
    ['DCGM_FI_DEV_GPU_UTIL', 2147483634],
    ['DCGM_FI_DEV_POWER_USAGE', 140737488355328],
    ['DCGM_FI_DEV_POWER_USAGE', 140737488355331],
    ['DCGM_FI_DEV_XID_ERRORS', 140737488355330],
    ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 2147483635],
    ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', '9223372036854775792'],
    ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', '9223372036854775794'],
    ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', '9223372036854775807'],
    ['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL', '9.223372036854776e+18'],
    ['DCGM_FI_DEV_ROW_REMAP_PENDING', 2147483632],
    ['DCGM_FI_DEV_GPU_TEMP', 'NaN'],
    ['DCGM_FI_DEV_GPU_TEMP', '+Inf'],
  ])('reads blank %s of %s as null', (name, value) => {
    const { samples, faults } = read([metric(name, value)]);
    expect(faults).toEqual({});
    const recordField = DCGM_FIELDS.find(({ names }) => names.includes(name))?.recordField as string;
    expect(samples[0]).toHaveProperty(recordField, null);
  });

  test.each([
    ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 2147483631],
    ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 2147483648],
    ['DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL', 140737488355327],
    ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', 140737488355344],
    ['DCGM_FI_DEV_PCIE_REPLAY_COUNTER', Number.MAX_SAFE_INTEGER],
    ['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL', 1e12],
  ])('reads %s of %s as a large counter', (name, value) => {
    const recordField = DCGM_FIELDS.find(({ names }) => names.includes(name))?.recordField as string;
    expect(read([metric(name, value)]).samples[0]).toHaveProperty(recordField, value);
  });

  test.each<[string, number | string, RegExp]>([
    ['DCGM_FI_DEV_GPU_UTIL', 101, /of 101 is not between 0 and 100/],
    ['DCGM_FI_DEV_GPU_UTIL', -1, /of -1 is not between/],
    ['DCGM_FI_DEV_GPU_TEMP', 301, /not between -100 and 300/],
    ['DCGM_FI_PROF_GR_ENGINE_ACTIVE', 1.5, /not between 0 and 1/],
    ['DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', 37, /of 37 is not between 0 and 1/],
    ['DCGM_FI_PROF_PCIE_TX_BYTES', 1.1e12, /not between 0 and 1000000000000/],
    ['DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION', 2e15, /not between 0 and 1000000000000000/],
    ['DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION', 0.5, /is not an integer/],
    ['DCGM_FI_DEV_POWER_USAGE', '-Inf', /is not between/],
    ['DCGM_FI_DEV_FB_TOTAL', 0, /of 0 is not between 1 and 1000000000/],
    ['DCGM_FI_DEV_XID_ERRORS', 31.5, /of 31.5 is not an integer/],
    ['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL', 1e12 + 1, /not between 0 and 1000000000000/],
    ['DCGM_FI_DEV_NEW_COUNTER', 3, /is not a stored metric/],
  ])('rejects %s of %s with its reason', (name, value, reason) => {
    const line = metric(name, value);
    const { samples, faults } = read([line]);
    expect(samples).toEqual([]);
    expect(faults[line]).toMatch(reason);
  });

  test.each<[string, RegExp]>([
    [metric('DCGM_FI_DEV_GPU_TEMP', 40, 'Hostname="n"'), /identify no GPU/],
    [metric('DCGM_FI_DEV_GPU_TEMP', 40, 'Hostname="a|b",pci_bus_id="0"'), /must not contain \|/],
    [metric('DCGM_FI_DEV_GPU_TEMP', 40, `UUID="GPU-${'x'.repeat(1_000)}"`), /longer than 1000 bytes/],
    [
      metric('DCGM_FI_DEV_GPU_TEMP', 40, `UUID="${UUID}",modelName="${'x'.repeat(100_000)}"`),
      /model in the labels is longer/,
    ],
    [
      metric('DCGM_FI_DEV_GPU_TEMP', 40, `UUID="${UUID}",Hostname="\0"`),
      /hostname in the labels contains a NUL/,
    ],
    [`${metric('DCGM_FI_DEV_GPU_TEMP', 40)} ${NOW + 7_200_000}`, /is in the future/],
    [`${metric('DCGM_FI_DEV_GPU_TEMP', 40)} ${Date.UTC(2025, 0, 1)}`, /older than the 13 months/],
  ])('one invalid line does not affect the others (%#)', (bad, reason) => {
    const good = metric('DCGM_FI_DEV_SM_CLOCK', 1980);
    const { samples, faults } = read([bad, good]);
    expect(faults[bad]).toMatch(reason);
    expect(samples).toEqual([expect.objectContaining({ gpu_id: UUID, sm_clock_mhz: 1980 })]);
  });

  test.each([
    ['DCGM_FI_DEV_ENFORCED_POWER_LIMIT', 700, 'DCGM_FI_DEV_POWER_MGMT_LIMIT', 650, 'power_limit_w'],
    ['DCGM_FI_DEV_GPU_UTIL', 91, 'DCGM_FI_PROF_GR_ENGINE_ACTIVE', 0.15, 'utilization_pct'],
    ['DCGM_FI_DEV_FB_TOTAL', 15360, 'DCGM_FI_DEV_FB_FREE', 9791, 'memory_total_mib'],
    [
      'DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL',
      5,
      'DCGM_FI_DEV_NVLINK_ERROR_DL_REPLAY',
      6,
      'nvlink_errors_total',
    ],
  ])('prefers %s, and skips the line of its alternative', (name, value, other, otherValue, recordField) => {
    const lines = [metric(other, otherValue), metric(name, value)];
    for (const order of [lines, [...lines].reverse()]) {
      const { samples, faults, skipped } = read(order);
      expect(samples[0]).toMatchObject({ [recordField]: value });
      expect({ faults, skipped }).toEqual({ faults: {}, skipped: 1 });
    }
  });

  test('drops both memory readings if more is in use than there is, and keeps the others', () => {
    const [used, total] = [metric('DCGM_FI_DEV_FB_USED', 81_560), metric('DCGM_FI_DEV_FB_TOTAL', 81_559)];
    const { samples, faults, accounted } = read([used, total, metric('DCGM_FI_DEV_GPU_TEMP', 40)]);
    expect(samples).toEqual([expect.objectContaining({ temperature_c: 40 })]);
    expect(samples[0]).not.toHaveProperty('memory_used_mib');
    expect(samples[0]).not.toHaveProperty('memory_total_mib');
    const reason = 'DCGM_FI_DEV_FB_USED of 81560 is more than DCGM_FI_DEV_FB_TOTAL of 81559: neither is used';
    expect(faults).toEqual({ [used]: reason, [total]: reason });
    expect(accounted).toEqual([1, 1, 1]);
  });

  test('does not know the total if no memory is in use and none is free', () => {
    const { samples, faults } = read([metric('DCGM_FI_DEV_FB_USED', 0), metric('DCGM_FI_DEV_FB_FREE', 0)]);
    expect(faults).toEqual({});
    expect(samples).toEqual([expect.objectContaining({ memory_used_mib: 0, memory_total_mib: null })]);
  });

  test('accepts equal values of several pods of one GPU, and rejects a differing line', () => {
    const pod = (name: string, value: number) =>
      metric('DCGM_FI_DEV_GPU_TEMP', value, `UUID="${UUID}",pod="${name}"`);
    const { samples, workloads, faults, accounted } = read(
      [40, 40, 41, 40].map((value, n) => pod('abcd'[n] as string, value)),
    );
    expect(samples[0]).toMatchObject({ temperature_c: 40 });
    // A rejected line is no observation of its pod.
    expect(workloads.map(({ name }) => name)).toEqual(['a', 'b', 'd']);
    expect(faults).toEqual({
      [pod('c', 41)]: 'DCGM_FI_DEV_GPU_TEMP is 41 here, but 40 in an earlier line of the same GPU and time',
    });
    expect(accounted).toEqual([1, 1, 1, 1]);
  });

  test('counts a GPU shared by pods once', () => {
    const pod = (name: string) =>
      metric('DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL', 5, `UUID="${UUID}",pod="${name}"`);
    expect(sampleOf([pod('a'), pod('b')])).toMatchObject({ nvlink_errors_total: 5 });
  });

  test('a blank and a value give the value', () => {
    const lines = [metric('DCGM_FI_DEV_GPU_TEMP', 'NaN'), metric('DCGM_FI_DEV_GPU_TEMP', 40)];
    expect(sampleOf(lines)).toMatchObject({ temperature_c: 40, faults: {} });
    expect(sampleOf(lines.reverse())).toMatchObject({ temperature_c: 40, faults: {} });
  });
});

test('counts every line of any scrape once, and comments not at all', () => {
  const names = [...DCGM_FIELDS.flatMap((field) => field.names), 'DCGM_FI_DEV_NEW_COUNTER'];
  const line = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...names),
          fc.constantFrom(UUID, 'GPU-2'),
          fc.constantFrom(
            '',
            ',GPU_I_ID="1",GPU_I_PROFILE="1g.5gb"',
            ',GPU_I_ID="2",GPU_I_PROFILE="3g.20gb"',
          ),
          fc.constantFrom('0', '1', '0.5', '40', '2147483632', '9223372036854775794', 'NaN', '-7', '1e20'),
          fc.constantFrom('', ` ${NOW}`, ` ${NOW - 15_000}`, ' 5', ` ${NOW * 2}`),
        )
        .map(([name, uuid, mig, value, time]) => `${name}{UUID="${uuid}"${mig}} ${value}${time}`),
    },
    { weight: 1, arbitrary: fc.constantFrom('# EOF', '', 'm{', 'DCGM_FI_DEV_GPU_TEMP{} 3') },
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const { accounted, samples, skipped } = read(lines);
      const isContent = lines.map((text) => text !== '' && !text.startsWith('#'));
      accounted.forEach((n, i) => expect(n).toBeLessThanOrEqual(isContent[i] ? 1 : 0));
      const all = accounted.reduce((sum, n) => sum + n, skipped);
      expect(all).toBe(isContent.filter(Boolean).length);
      for (const sample of samples)
        for (const value of Object.values(sample))
          if (typeof value === 'number') expect(Math.abs(value)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    }),
    { numRuns: 400 },
  );
});
