import { AMD_FORMAT } from '../../src/importer/formats/amd/amd-format.ts';
import { DCGM_FORMAT } from '../../src/importer/formats/dcgm/dcgm-format.ts';
import { ExporterPage } from '../../src/importer/formats/exporters/exporter-page.ts';
import type { ExporterFormat } from '../../src/importer/formats/exporters/exporter-format.ts';
import { importExporterPage } from '../../src/importer/formats/exporters/import-page.ts';
import { NVIDIA_GPU_EXPORTER_FORMAT } from '../../src/importer/formats/nvidia-gpu-exporter/nvidia-gpu-exporter-format.ts';
import { RecordReader } from '../../src/importer/records/record-reader.ts';
import type { GpuSampleRecord } from '../../src/importer/records/records.ts';
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
      importExporterPage(job, { customerId, workspaceId: 10, at: AT, format, hosts: { override: host } }),
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
      gpu_id: `GPU-69240900540${number}`,
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

  test.each([
    [
      'the UUID',
      'gpu_uuid="6699c0a8-4200-4242-037f-f97e6cae0f09",serial_number="7"',
      'GPU-6699c0a8-4200-4242-037f-f97e6cae0f09',
    ],
    ['the serial number without a UUID', 'gpu_uuid="",serial_number="692247001282"', 'GPU-692247001282'],
    [
      'the serial number with a UUID of zeros',
      'gpu_uuid="00000000-0000-0000-0000-000000000000",serial_number="8"',
      'GPU-8',
    ],
    ['host and number', 'serial_number=""', 'n|gpu-3|'],
    ['host and number with a serial number of 0', 'serial_number="0"', 'n|gpu-3|'],
    ['host and number without a known serial number', 'gpu_uuid="N/A",serial_number="[N/A]"', 'n|gpu-3|'],
    ['host and PCI address', 'pci_bus_id="0000:05:00.0"', 'n|0000:05:00.0|'],
    ['host, number and partition', 'gpu_compute_partition_type="cpx"', 'n|gpu-3|2'],
  ])('identifies a GPU by %s', (_by, labels, gpuId) => {
    const [sample] = samplesOf(`gpu_used_vram{hostname="n",gpu_id="3",gpu_partition_id="2",${labels}} 5`);
    expect(sample?.gpu_id).toBe(gpuId);
  });

  test('reads labels in upper case; a line without a GPU is rejected', () => {
    expect(samplesOf('gpu_used_vram{HOSTNAME="n",GPU_ID="3"} 5')).toMatchObject([{ gpu_id: 'n|gpu-3|' }]);
    const scrape = new ExporterPage('', AT, reader);
    scrape.add({ number: 1, text: 'gpu_used_vram{hostname="n"} 5' });
    expect(scrape.finish()).toMatchObject([
      { fault: expect.stringMatching(/must have a UUID, a serial/) as string },
    ]);
  });

  test('partitions of a board are one GPU', () => {
    const line = (series: string, partition: number, value: number) =>
      `${series}{hostname="n",gpu_id="${40 + partition}",gpu_partition_id="${partition}",` +
      `gpu_compute_partition_type="cpx",gpu_uuid="c3ff74a1-0000-0000-80ff-88426fc31c9e"} ${value}`;
    const page = [0, 1, 2].flatMap((partition) => [
      line('gpu_package_power', partition, partition === 0 ? 640 : 0),
      line('gpu_total_vram', partition, partition === 0 ? 196_592 : 0),
      line('gpu_used_vram', partition, 100),
      line('gpu_gfx_activity', partition, partition === 0 ? 91 : 0),
      line('gpu_ecc_uncorrect_total', partition, 1),
    ]);
    expect(samplesOf(...page)).toMatchObject([
      {
        gpu_id: 'GPU-c3ff74a1-0000-0000-80ff-88426fc31c9e',
        power_draw_w: 640,
        memory_total_mib: 196_592,
        memory_used_mib: 300,
        utilization_pct: 91,
        ecc_double_bit_total: 3,
      },
    ]);
  });

  test('0 °C, 0 W and an energy of 0 are not measured, and never replace another series', () => {
    const readings = (lines: Record<string, number>) =>
      samplesOf(...Object.entries(lines).map(([series, value]) => `${series}${amdLabels(0)} ${value}`))[0];
    expect(
      readings({
        gpu_junction_temperature: 0,
        gpu_package_power: 0,
        gpu_energy_consumed: 0,
        gpu_gfx_activity: 3,
      }),
    ).toMatchObject({
      temperature_c: null,
      power_draw_w: null,
      energy_millijoules_total: null,
      utilization_pct: 3,
    });
    expect(
      readings({
        gpu_junction_temperature: 0,
        gpu_edge_temperature: 34,
        gpu_package_power: 0,
        gpu_average_package_power: 41,
      }),
    ).toMatchObject({ temperature_c: 34, power_draw_w: 41 });
  });

  test.each<[string, string, string | null]>([
    ['an unhealthy GPU', `amd_gpu_health${amdLabels(0)} 0`, 'critical'],
    ['a healthy GPU', `gpu_health${amdLabels(0)} 1`, 'healthy'],
    ['a fatal event', `gpu_afid_errors${amdLabels(0, ',afid_index="0",severity="fatal"')} 30`, 'critical'],
    [
      'an event that is not fatal',
      `gpu_afid_errors${amdLabels(0, ',afid_index="0",severity="non_fatal_uncorrected"')} 30`,
      'degraded',
    ],
    ['an event', `gpu_afid_errors${amdLabels(0, ',afid_index="0"')} 19`, 'degraded'],
    ['no event', `gpu_afid_errors${amdLabels(0, ',afid_index="0"')} 0`, null],
  ])('reads what the exporter states about %s', (_of, line, health) => {
    expect(samplesOf(line)[0]?.source_health ?? null).toBe(health);
  });

  test('counts a corrected event by its series, and rejects an unknown series', () => {
    const scrape = new ExporterPage('', AT, reader);
    const severity = ',severity="non_fatal_corrected"';
    scrape.add({ number: 1, text: `gpu_afid_errors${amdLabels(0, severity)} 24` });
    scrape.add({ number: 2, text: `gpu_bad_pages${amdLabels(0)} 3` });
    expect(Object.fromEntries(scrape.ignored)).toEqual({ gpu_afid_errors: 1 });
    expect(scrape.finish()).toMatchObject([{ fault: 'gpu_bad_pages is not a stored metric' }]);
  });

  test('rejects the value of the driver for unknown power', () => {
    const scrape = new ExporterPage('', AT, reader);
    scrape.add({ number: 1, text: `gpu_package_power${amdLabels(0)} 65535` });
    expect(scrape.finish()).toEqual([
      expect.objectContaining({ fault: expect.stringMatching(/not between/) }),
    ]);
  });
});

function samplesOf(...lines: string[]): GpuSampleRecord[] {
  const scrape = new ExporterPage('', AT, reader);
  lines.forEach((text, index) => scrape.add({ number: index + 1, text }));
  return scrape
    .finish()
    .flatMap((item) => ('record' in item && item.record.kind === 'gpu_sample' ? [item.record] : []));
}

const reader = new RecordReader({ customerId: 1, workspaceId: 10, apiKeyId: null });

describe('nvidia_gpu_exporter', () => {
  test('reads XIDs with their own time, and what the driver states', async () => {
    const seconds = Math.floor(AT.getTime() / 1_000) - 60;
    const page = [
      smiPage,
      `nvidia_smi_xid_last_timestamp_seconds{uuid="${UUID}",xid="79"} ${seconds}`,
      `nvidia_smi_xid_errors_total{uuid="${UUID}",xid="79"} 2`,
      `nvidia_smi_gpu_recovery_action{uuid="${UUID}"} 1`,
      `nvidia_smi_reset_status_drain_and_reset_recommended{uuid="${UUID}"} 1`,
      `nvidia_smi_retired_pages_pending{uuid="${UUID}"} 1`,
      `nvidia_smi_new_series{uuid="${UUID}"} 1`,
    ].join('\n');
    const imported = await importPage(page, 30, NVIDIA_GPU_EXPORTER_FORMAT, 'node-1');
    expect(imported).toMatchObject({ written: 3, ignored: { nvidia_smi_xid_errors_total: 1 } });
    expect(imported.rejects.map(({ reason }) => reason)).toEqual([
      'nvidia_smi_new_series is not a stored metric',
    ]);
    expect(
      await rowsOf(
        database.administratorUrl,
        'SELECT code, at FROM fleet.gpu_xid_events WHERE customer_id = 30',
      ),
    ).toEqual([{ code: 79, at: new Date(seconds * 1_000) }]);
    expect((await stored(30))[0]?.sample).toMatchObject({
      source_health: 'critical',
      source_verdict:
        'the driver asks for a recovery action: reset GPU; the driver recommends draining and resetting the GPU',
      row_remap_pending: true,
    });
    expect(
      await importPage(page.replace('} 34', '} 35'), 30, NVIDIA_GPU_EXPORTER_FORMAT, 'node-1'),
    ).toMatchObject({
      duplicate: 2,
    });
  });

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
    [0, 1].map((number) => ({ vendor: 'AMD', hostname: 'tw038', gpu_id: `GPU-69240900540${number}` })),
  ],
  ['nvidia_gpu_exporter', smiPage, [{ vendor: 'NVIDIA', hostname: 'node-7', gpu_id: `GPU-${UUID}` }]],
])('a scrape recognizes a page of %s by its series', (_exporter, page, gpus) => {
  const scrape = new ExporterPage('', AT, reader, { hosts: { fallback: 'node-7' } });
  page.split('\n').forEach((text, index) => scrape.add({ number: index + 1, text }));
  const records = scrape.finish().flatMap((item) => ('record' in item ? [item.record] : []));
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
