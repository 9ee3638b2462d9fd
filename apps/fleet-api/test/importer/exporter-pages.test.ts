import { AMD_FORMAT } from '../../src/importer/formats/amd/amd-format.ts';
import { DCGM_FORMAT } from '../../src/importer/formats/dcgm/dcgm-format.ts';
import { ExporterPage } from '../../src/importer/formats/exporters/exporter-page.ts';
import type { ExporterFormat } from '../../src/importer/formats/exporters/exporter-format.ts';
import { importExporterPage } from '../../src/importer/formats/exporters/import-page.ts';
import { NVIDIA_GPU_EXPORTER_FORMAT } from '../../src/importer/formats/nvidia-gpu-exporter/nvidia-gpu-exporter-format.ts';
import { RecordReader } from '../../src/importer/records/record-reader.ts';
import { amdLabels, amdPage, smiPage, UUID } from '../support/exporter-pages.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importText } from '../support/import-records.ts';

const database = useFleetDatabase();

const AT = new Date(Date.now() - 60_000);
const importPage = (text: string, customerId: number, format: ExporterFormat, host?: string) =>
  importText(
    database.importerUrl,
    text,
    (job) =>
      importExporterPage(job, { customerId, workspaceId: 10, at: AT, format, ...(host ? { host } : {}) }),
    { customerId, workspaceId: 10, apiKeyId: null },
  );
const stored = (customer: number) =>
  rowsOf<Record<string, unknown>>(
    database.administratorUrl,
    `SELECT g.gpu_id, g.vendor, g.model, g.compute_stack, g.driver_version, g.firmware_version, g.hostname, g.pcie_address,
            g.serial_no, to_jsonb(s) - 'customer_id' - 'gpu_id' - 'at' AS sample
     FROM fleet.gpus g JOIN fleet.gpu_samples s ON s.customer_id = g.customer_id AND s.gpu_id = g.gpu_id
     WHERE g.customer_id = $1 ORDER BY g.gpu_id`,
    [customer],
  );

describe('AMD device-metrics-exporter', () => {
  test.each([
    ['without a prefix', 1, amdPage()],
    ['with a prefix', 2, amdPage('amd_')],
    [
      'with the clock types of version 1.4.2',
      20,
      amdPage().replaceAll(/GPU_CLOCK_TYPE_\w+/g, (type) => type.slice(15).toLowerCase()),
    ],
  ])('reads a page %s', async (_title, customer, page) => {
    // The number of nodes, and per GPU the clock of a unit without a field and a power that is not used.
    expect(await importPage(page, customer, AMD_FORMAT)).toMatchObject({
      written: 4,
      rejects: [],
      skipped: 5,
    });
    const gpu = (number: number) => ({
      gpu_id: `tw038|gpu-${number}|`,
      vendor: 'AMD',
      model: 'AMD Instinct MI300X OAM',
      compute_stack: 'ROCm',
      driver_version: '6.12.12',
      firmware_version: '022.040',
      hostname: 'tw038',
      pcie_address: '',
      serial_no: `69240900540${number}`,
      sample: expect.objectContaining({
        utilization_pct: 40 + number,
        temperature_c: 51,
        memory_temperature_c: 47,
        power_draw_w: 212.5,
        memory_used_mib: 283,
        memory_total_mib: 196_592,
        sm_clock_mhz: 133,
        memory_clock_mhz: 900,
        ecc_single_bit_total: 3,
        ecc_double_bit_total: 0,
        pcie_replays_total: 1,
        tensor_active_pct: 8.5,
        dram_active_pct: 12,
        energy_millijoules_total: 15_346_810_943,
      }) as unknown,
    });
    expect(await stored(customer)).toEqual([gpu(0), gpu(1)]);
  });

  test('imports a partition as a separate GPU; a PCI address replaces the number', () => {
    const idOf = (labels: string) => {
      const scrape = new ExporterPage('', AT, reader);
      scrape.add({ number: 1, text: `gpu_used_vram{${labels}} 5` });
      const [item] = scrape.read();
      return item && 'record' in item ? (item.record as { gpu_id?: string }).gpu_id : item?.fault;
    };
    const base = 'hostname="n",gpu_id="3",gpu_partition_id="2"';
    expect(idOf(`${base},gpu_compute_partition_type="cpx"`)).toBe('n|gpu-3|2');
    expect(idOf(`${base},gpu_compute_partition_type="SPX",pci_bus_id="0000:05:00.0"`)).toBe(
      'n|0000:05:00.0|',
    );
    expect(idOf('HOSTNAME="n",GPU_ID="3"')).toBe('n|gpu-3|');
    expect(idOf('hostname="n"')).toMatch(/must have hostname and gpu_id/);
  });

  test('rejects the value of the driver for unknown power', () => {
    const scrape = new ExporterPage('', AT, reader);
    scrape.add({ number: 1, text: `gpu_package_power${amdLabels(0)} 65535` });
    expect(scrape.read()).toEqual([expect.objectContaining({ fault: expect.stringMatching(/not between/) })]);
  });
});

const reader = new RecordReader({ customerId: 1, workspaceId: 10, apiKeyId: null });

describe('nvidia_gpu_exporter', () => {
  test('reads a page; its GPU is that of dcgm-exporter', async () => {
    const page = `${smiPage}\ngo_goroutines 9\nprocess_open_fds 12\n`;
    expect(await importPage(page, 3, NVIDIA_GPU_EXPORTER_FORMAT, 'node-1')).toMatchObject({
      written: 2,
      rejects: [],
      skipped: 5,
    });
    expect(await stored(3)).toEqual([
      {
        gpu_id: `GPU-${UUID}`,
        vendor: 'NVIDIA',
        model: 'NVIDIA L4',
        compute_stack: 'CUDA 12.4',
        driver_version: '550.54.15',
        firmware_version: '95.04.29',
        hostname: 'node-1',
        pcie_address: '00000000:31:00.0',
        serial_no: '',
        sample: expect.objectContaining({
          utilization_pct: 42,
          memory_used_mib: 674,
          memory_total_mib: 23_034,
          temperature_c: 34,
          power_draw_w: expect.closeTo(28.07) as unknown,
          power_limit_w: 72,
          fan_pct: 38,
          sm_clock_mhz: 2_040,
          memory_clock_mhz: 6_251,
          throttle_reasons: 4,
          row_remap_failed: false,
          row_remap_pending: true,
          remapped_rows_total: 2,
          pcie_tx_mb_per_second: expect.closeTo(4.096) as unknown,
          pcie_rx_mb_per_second: 0,
          energy_millijoules_total: 74_881_269_921,
        }) as unknown,
      },
    ]);
    const labels = `{UUID="GPU-${UUID}",Hostname="node-1",pci_bus_id="00000000:31:00.0"}`;
    const dcgm = [
      `DCGM_FI_DEV_MEMORY_TEMP${labels} 90`,
      `DCGM_FI_DEV_MEM_MAX_OP_TEMP${labels} 85`,
      `DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS${labels} 3`,
    ].join('\n');
    await importText(
      database.importerUrl,
      dcgm,
      (job) => importExporterPage(job, { customerId: 3, workspaceId: 10, format: DCGM_FORMAT }),
      { customerId: 3, workspaceId: 10, apiKeyId: null },
    );
    const gpus = await rowsOf<{ gpu_id: string; signals: { rule: string }[] }>(
      database.administratorUrl,
      'SELECT gpu_id, health_signals AS signals FROM fleet.gpus WHERE customer_id = 3',
    );
    expect(gpus.map(({ gpu_id }) => gpu_id)).toEqual([`GPU-${UUID}`]);
    expect(gpus[0]?.signals.map(({ rule }) => rule).sort()).toEqual([
      'memory_temperature',
      'row_remap_pending',
      'rows_remapped',
    ]);
  });
});

test.each<[string, string, object[]]>([
  [
    'AMD device-metrics-exporter',
    amdPage(),
    [0, 1].map((number) => ({ vendor: 'AMD', hostname: 'tw038', gpu_id: `tw038|gpu-${number}|` })),
  ],
  ['nvidia_gpu_exporter', smiPage, [{ vendor: 'NVIDIA', hostname: 'node-7', gpu_id: `GPU-${UUID}` }]],
])('a scrape recognizes a page of %s by its series', (_exporter, page, gpus) => {
  const scrape = new ExporterPage('', AT, reader, { host: 'node-7' });
  page.split('\n').forEach((text, index) => scrape.add({ number: index + 1, text }));
  const records = scrape.read().flatMap((item) => ('record' in item ? [item.record] : []));
  expect(records.filter(({ kind }) => kind === 'gpu')).toMatchObject(gpus);
});

test.each<[ExporterFormat, number, string]>([
  [AMD_FORMAT, 4, amdPage()],
  [NVIDIA_GPU_EXPORTER_FORMAT, 5, smiPage],
])('$adapter: importing a page again, also concurrently, changes nothing', async (format, customer, text) => {
  const results = await Promise.all([1, 2, 3].map(() => importPage(text, customer, format, 'node-1')));
  const gpus = (await stored(customer)).length;
  expect(results.map(({ written }) => written).sort()).toEqual([0, 0, 2 * gpus]);
  const before = await fleetTables(database.administratorUrl);
  expect(await importPage(text, customer, format, 'node-1')).toMatchObject({
    written: 0,
    duplicate: 2 * gpus,
  });
  expect(await fleetTables(database.administratorUrl)).toEqual(before);
});
