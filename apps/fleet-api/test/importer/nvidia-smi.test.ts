import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importNvidiaSmi } from '../../src/importer/formats/nvidia-smi/import-nvidia-smi.ts';
import type { SmiOptions } from '../../src/importer/formats/nvidia-smi/smi-converter.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { runImport } from '../support/import-process.ts';
import { importText } from '../support/import-records.ts';

const database = useFleetDatabase();

const NOW_SECONDS = Math.floor(Date.now() / 1_000);
const hoursAgo = (hours: number) => new Date((NOW_SECONDS - hours * 3_600) * 1_000);
/** As the driver writes it: the machine's clock, no zone. */
const ctime = (at: Date) => {
  const [day, date, month, year] = at.toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${String(Number(date)).padStart(2)} ${at.toISOString().slice(11, 19)} ${year}`;
};
const importXml = (customerId: number, xml: string, options: Partial<SmiOptions> = {}) =>
  importText(
    database.importerUrl,
    xml,
    (job) => importNvidiaSmi(job, { customerId, host: 'node-1', at: null, utcOffsetMinutes: 0, ...options }),
    { customerId, workspaceId: 10, apiKeyId: null },
  );
const rows = (text: string) => rowsOf<Record<string, unknown>>(database.administratorUrl, text);

const log = (at: Date, ...gpus: string[]) => `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
  <timestamp>${ctime(at)}</timestamp>
  <driver_version>535.54.03</driver_version>
  <cuda_version>12.2</cuda_version>
  ${gpus.join('\n')}
</nvidia_smi_log>
`;
const common = (uuid: string) => `
    <product_name>NVIDIA A100-SXM4-80GB</product_name>
    <mig_mode><current_mig>Enabled</current_mig></mig_mode>
    <serial>1650522003820</serial>
    <uuid>${uuid}</uuid>
    <vbios_version>92.00.36.00.02</vbios_version>
    <pci><pci_bus_id>00000000:01:00.0</pci_bus_id><replay_counter>3</replay_counter><tx_util>4350 KB/s</tx_util><rx_util>N/A</rx_util></pci>
    <fan_speed>N/A</fan_speed>
    <fb_memory_usage><total>81920 MiB</total><reserved>50 MiB</reserved><used>1024 MiB</used></fb_memory_usage>
    <temperature>
      <gpu_temp>27 C</gpu_temp>
      <gpu_temp_max_threshold>92 C</gpu_temp_max_threshold>
      <gpu_temp_slow_threshold>89 C</gpu_temp_slow_threshold>
    </temperature>
    <clocks><sm_clock>1275 MHz</sm_clock><mem_clock>1593 MHz</mem_clock></clocks>`;
/** Version 12: new names of throttle reasons and power. With MIG enabled, the board has no utilization. */
const v12 = (uuid: string, processes = '') => `<gpu id="00000000:01:00.0">${common(uuid)}
    <clocks_event_reasons>
      <clocks_event_reason_gpu_idle>Active</clocks_event_reason_gpu_idle>
      <clocks_event_reason_hw_slowdown>Active</clocks_event_reason_hw_slowdown>
      <clocks_event_reason_sw_thermal_slowdown>Not Active</clocks_event_reason_sw_thermal_slowdown>
    </clocks_event_reasons>
    <utilization><gpu_util>N/A</gpu_util></utilization>
    <ecc_errors><volatile>
      <sram_correctable>1</sram_correctable><sram_uncorrectable_parity>0</sram_uncorrectable_parity>
      <sram_uncorrectable_secded>2</sram_uncorrectable_secded>
      <dram_correctable>4</dram_correctable><dram_uncorrectable>8</dram_uncorrectable>
    </volatile></ecc_errors>
    <remapped_rows><remapped_row_corr>1</remapped_row_corr><remapped_row_unc>2</remapped_row_unc><remapped_row_pending>Yes</remapped_row_pending><remapped_row_failure>No</remapped_row_failure></remapped_rows>
    <gpu_power_readings>
      <average_power_draw>67.03 W</average_power_draw><instant_power_draw>70.00 W</instant_power_draw>
      <current_power_limit>500.00 W</current_power_limit><requested_power_limit>400.00 W</requested_power_limit>
    </gpu_power_readings>
    <processes>${processes}</processes>
  </gpu>`;
const v11 = (uuid: string) => `<gpu id="00000000:02:00.0">${common(uuid)}
    <clocks_throttle_reasons>
      <clocks_throttle_reason_sw_thermal_slowdown>Active</clocks_throttle_reason_sw_thermal_slowdown>
      <clocks_throttle_reason_hw_power_brake_slowdown>Active</clocks_throttle_reason_hw_power_brake_slowdown>
    </clocks_throttle_reasons>
    <utilization><gpu_util>87 %</gpu_util></utilization>
    <ecc_errors><volatile><single_bit><total>5</total></single_bit><double_bit><total>N/A</total></double_bit></volatile></ecc_errors>
    <remapped_rows>N/A</remapped_rows>
    <power_readings>
      <power_draw>26.78 W</power_draw><power_limit>70.00 W</power_limit><enforced_power_limit>65.00 W</enforced_power_limit>
    </power_readings>
    <processes></processes>
  </gpu>`;
const process_ = (pid: number, name: string, memory = '1005 MiB') =>
  `<process_info><pid>${pid}</pid><type>C</type><process_name>${name}</process_name><used_memory>${memory}</used_memory></process_info>`;

test('reads versions 11 and 12 alike; N/A is null', async () => {
  const at = hoursAgo(2);
  expect(await importXml(1, log(at, v12('GPU-12'), v11('GPU-11')))).toMatchObject({
    written: 4,
    rejected: 0,
  });
  expect(
    await rows(
      `SELECT gpu_id, at, utilization_pct, memory_used_mib, memory_total_mib, temperature_c, power_draw_w, power_limit_w,
         fan_pct, sm_clock_mhz, memory_clock_mhz, xid_last_code, throttle_reasons, ecc_single_bit_total,
         ecc_double_bit_total, row_remap_failed, row_remap_pending, pcie_replays_total, remapped_rows_total,
         pcie_tx_mb_per_second, pcie_rx_mb_per_second
       FROM fleet.gpu_samples WHERE customer_id = 1 ORDER BY gpu_id DESC`,
    ),
  ).toEqual([
    {
      gpu_id: 'GPU-12',
      at,
      utilization_pct: null,
      memory_used_mib: 1024,
      memory_total_mib: 81920,
      temperature_c: 27,
      power_draw_w: 67.03,
      power_limit_w: 500,
      fan_pct: null,
      sm_clock_mhz: 1275,
      memory_clock_mhz: 1593,
      xid_last_code: null,
      throttle_reasons: 0x9,
      ecc_single_bit_total: 5,
      ecc_double_bit_total: 10,
      row_remap_failed: false,
      row_remap_pending: true,
      pcie_replays_total: 3,
      remapped_rows_total: 2,
      pcie_tx_mb_per_second: 4.35,
      pcie_rx_mb_per_second: null,
    },
    expect.objectContaining({
      gpu_id: 'GPU-11',
      utilization_pct: 87,
      power_draw_w: 26.78,
      power_limit_w: 65,
      throttle_reasons: 0xa0,
      ecc_single_bit_total: 5,
      ecc_double_bit_total: null,
      row_remap_failed: null,
    }),
  ]);
  expect(
    await rows(
      `SELECT vendor, model, compute_stack, driver_version, firmware_version, hostname, pcie_address, serial_no,
         mig_enabled, slowdown_temperature_c, shutdown_temperature_c FROM fleet.gpus WHERE gpu_id = 'GPU-12'`,
    ),
  ).toEqual([
    {
      vendor: 'NVIDIA',
      model: 'NVIDIA A100-SXM4-80GB',
      compute_stack: 'CUDA 12.2',
      driver_version: '535.54.03',
      firmware_version: '92.00.36.00.02',
      hostname: 'node-1',
      pcie_address: '00000000:01:00.0',
      serial_no: '1650522003820',
      mig_enabled: true,
      slowdown_temperature_c: 89,
      shutdown_temperature_c: 92,
    },
  ]);
});

test('importing a document again changes nothing; a process that is seen again is the same one', async () => {
  const first = log(
    hoursAgo(3),
    v12('GPU-p', process_(7, 'a &lt;b&gt; &amp; c') + process_(8, 'python', 'N/A')),
  );
  const second = log(
    hoursAgo(2),
    v12('GPU-p', process_(7, 'a &lt;b&gt; &amp; c', '2000 MiB') + process_(8, 'other')),
  );
  expect(await importXml(2, first + second)).toMatchObject({ written: 8, rejected: 0 });
  const before = await fleetTables(database.administratorUrl);
  expect(await importXml(2, second + first)).toMatchObject({ written: 0, duplicate: 8, rejected: 0 });
  expect(await fleetTables(database.administratorUrl)).toEqual(before);
  expect(
    await rows(
      `SELECT pid, name, started_at, memory_used_mib FROM fleet.gpu_processes WHERE customer_id = 2 ORDER BY pid, started_at`,
    ),
  ).toEqual([
    { pid: 7, name: 'a <b> & c', started_at: hoursAgo(3), memory_used_mib: 2000 },
    { pid: 8, name: 'python', started_at: hoursAgo(3), memory_used_mib: null },
    { pid: 8, name: 'other', started_at: hoursAgo(2), memory_used_mib: 1005 },
  ]);
});

test.each([
  ['<gpu_recovery_action>None</gpu_recovery_action>', 'healthy', null],
  [
    '<gpu_recovery_action>Reset</gpu_recovery_action>',
    'critical',
    'the driver asks for a recovery action: Reset',
  ],
  [
    '<gpu_recovery_action>Drain and Reset</gpu_recovery_action>',
    'degraded',
    'the driver asks for a recovery action: Drain and Reset',
  ],
  ['<gpu_recovery_action>N/A</gpu_recovery_action>', null, null],
  [
    '<gpu_reset_status><reset_required>Yes</reset_required></gpu_reset_status>',
    'critical',
    'the driver requires a reset',
  ],
  [
    '<ecc_errors><aggregate><sram_threshold_exceeded>Yes</sram_threshold_exceeded></aggregate></ecc_errors>',
    'degraded',
    'the threshold of uncorrectable SRAM errors is exceeded',
  ],
  ['<fabric><health><summary>Healthy</summary></health></fabric>', 'healthy', null],
  [
    '<fabric><health><summary>Limited Capacity</summary></health></fabric>',
    'degraded',
    'the fabric is unhealthy',
  ],
  [
    '<ecc_errors><channel_repair_pending>Yes</channel_repair_pending><tpc_repair_pending>No</tpc_repair_pending></ecc_errors>',
    'degraded',
    'the repair of a memory channel is pending',
  ],
  [
    '<ecc_errors><tpc_repair_pending>Yes</tpc_repair_pending><unrepairable_memory>Yes</unrepairable_memory></ecc_errors>',
    'critical',
    'memory cannot be repaired; the repair of a TPC is pending',
  ],
  [
    '<temperature><gpu_temp>GPU is lost</gpu_temp></temperature>',
    'critical',
    'nvidia-smi reports the GPU as lost',
  ],
  [
    '<temperature><gpu_temp>[GPU requires reset]</gpu_temp></temperature><fan_speed>N/A</fan_speed>',
    'critical',
    'the driver requires a reset',
  ],
  ['<fan_speed>[Unknown Error]</fan_speed>', null, null],
])('reads what %s states', async (element, source_health, source_verdict) => {
  const gpu = `<gpu id="00000000:01:00.0"><uuid>GPU-v</uuid><pci></pci>${element}</gpu>`;
  const customer = 500 + (nextCustomer += 1);
  expect(await importXml(customer, log(hoursAgo(1), gpu))).toMatchObject({ written: 2, rejects: [] });
  expect(
    await rows(`SELECT source_health, source_verdict FROM fleet.gpu_samples WHERE customer_id = ${customer}`),
  ).toEqual([{ source_health, source_verdict }]);
});
let nextCustomer = 0;

test('page retirement that is pending counts as a pending row remap', async () => {
  const pending =
    '<retired_pages><pending_blacklist>Yes</pending_blacklist><pending_retirement>Yes</pending_retirement></retired_pages>';
  await importXml(90, log(hoursAgo(1), `<gpu id="00000000:01:00.0"><uuid>GPU-v</uuid>${pending}</gpu>`));
  expect(await rows('SELECT row_remap_pending FROM fleet.gpu_samples WHERE customer_id = 90')).toEqual([
    { row_remap_pending: true },
  ]);
});

test('a lost GPU is the known one of its host and slot, in a document and in a line without one', async () => {
  const lost =
    '<gpu id="00000000:01:00.0"><uuid>GPU is lost</uuid><serial>GPU is lost</serial><gpu_recovery_action>GPU is lost</gpu_recovery_action></gpu>';
  await importXml(91, log(hoursAgo(3), v12('GPU-lost')));
  expect(await importXml(91, log(hoursAgo(2), lost))).toMatchObject({ rejects: [] });
  const line = 'Unable to determine the device handle for GPU0000:01:00.0: Unknown Error\n';
  expect(await importXml(91, line, { at: hoursAgo(1) })).toMatchObject({ written: 1, rejects: [] });
  const other = line.replace('01:00', '02:00');
  expect(await importXml(91, other, { at: hoursAgo(1) })).toMatchObject({ written: 2, rejects: [] });
  const stated = { source_health: 'critical', source_verdict: 'nvidia-smi reports the GPU as lost' };
  expect(
    await rows(
      'SELECT gpu_id, source_health, source_verdict FROM fleet.gpu_samples WHERE customer_id = 91 ORDER BY gpu_id, at',
    ),
  ).toEqual([
    { gpu_id: 'GPU-lost', source_health: null, source_verdict: null },
    { gpu_id: 'GPU-lost', ...stated },
    { gpu_id: 'GPU-lost', ...stated },
    { gpu_id: 'node-1|0000:02:00.0|', ...stated },
  ]);
});

test('a lost GPU is the one that the same file had in its slot before', async () => {
  const lost = '<gpu id="00000000:01:00.0"><uuid>GPU is lost</uuid></gpu>';
  const line = 'Unable to determine the device handle for GPU1: 0000:01:00.0: Unknown Error\n';
  const file = log(hoursAgo(3), v12('GPU-before')) + line + log(hoursAgo(2), lost);
  expect(await importXml(93, file, { at: null })).toMatchObject({ rejects: [] });
  expect(
    await rows('SELECT gpu_id, source_health FROM fleet.gpu_samples WHERE customer_id = 93 ORDER BY at'),
  ).toEqual([null, 'critical', 'critical'].map((source_health) => ({ gpu_id: 'GPU-before', source_health })));
});

test.each(['ERR!', 'GPU requires reset', 'Unknown Error'])(
  'a GPU whose UUID reads %s is the known one of its slot',
  async (text) => {
    const customer = 500 + (nextCustomer += 1);
    await importXml(customer, log(hoursAgo(3), v12('GPU-known')));
    const gpu = `<gpu id="00000000:01:00.0"><uuid>${text}</uuid><serial>${text}</serial></gpu>`;
    expect(await importXml(customer, log(hoursAgo(2), gpu))).toMatchObject({ written: 2, rejects: [] });
    expect(await rows(`SELECT gpu_id FROM fleet.gpus WHERE customer_id = ${customer}`)).toEqual([
      { gpu_id: 'GPU-known' },
    ]);
  },
);

test('GPUs with a UUID of zeros and without a serial number are those of host and slot', async () => {
  const gpu = (pci: string) =>
    `<gpu id="${pci}"><uuid>GPU-00000000-0000-0000-0000-000000000000</uuid><serial>0</serial></gpu>`;
  await importXml(94, log(hoursAgo(1), gpu('00000000:01:00.0'), gpu('00000000:02:00.0')));
  expect(await rows('SELECT gpu_id FROM fleet.gpus WHERE customer_id = 94 ORDER BY gpu_id')).toEqual([
    { gpu_id: 'node-1|00000000:01:00.0|' },
    { gpu_id: 'node-1|00000000:02:00.0|' },
  ]);
});

test('a process whose name contains markup does not reject the document', async () => {
  const name = 'python -c "a<b && c>d; &x; &#xZ;\n<i" </name> &amp; e';
  expect(await importXml(92, log(hoursAgo(1), v12('GPU-p', process_(7, name, '20 MiB'))))).toMatchObject({
    rejects: [],
  });
  expect(await rows('SELECT name FROM fleet.gpu_processes WHERE customer_id = 92')).toEqual([
    { name: 'python -c "a<b && c>d; &x; &#xZ;\n<i" </name> & e' },
  ]);
});

test('identifies a GPU without UUID by its serial number, otherwise by host and slot; the time has the given offset, or is given', async () => {
  const at = hoursAgo(2);
  const summer = new Date(at.getTime() + 7_200_000);
  await importXml(3, log(summer, v12('N/A')), { utcOffsetMinutes: 120 });
  await importXml(3, log(new Date(0), v11('N/A').replace('1650522003820', 'N/A')), {
    at: new Date(at.getTime() + 1_000),
  });
  expect(await rows('SELECT gpu_id, at FROM fleet.gpu_samples WHERE customer_id = 3 ORDER BY at')).toEqual([
    { gpu_id: 'GPU-1650522003820', at },
    { gpu_id: 'node-1|00000000:01:00.0|', at: new Date(at.getTime() + 1_000) },
  ]);
});

test('rejects invalid input with its line and reason, and imports the rest', async () => {
  const at = hoursAgo(1);
  const hot = v12('GPU-hot').replace('27 C', '999 C');
  const text = [
    log(at, v12('GPU-good'), hot),
    log(at, v12('GPU-x').replace('</temperature>', '')),
    `<other></other>\n</nvidia_smi_log>\n`,
    `<!DOCTYPE a [<!ENTITY a "b">]>\n<nvidia_smi_log></nvidia_smi_log>\n`,
    `<nvidia_smi_log><timestamp>yesterday</timestamp></nvidia_smi_log>\n`,
    `<nvidia_smi_log>\n<timestamp>`,
  ].join('');
  const { rejects, written } = await importXml(4, text);
  expect(written).toBe(2);
  expect(rejects.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^GPU GPU-hot: temperature_c must be <= 300/),
    expect.stringMatching(/^not XML: .*temperature.* \(line \d+ of the document\)/),
    expect.stringMatching(/^not XML: /),
    expect.stringMatching(/^the document declares an entity/),
    expect.stringMatching(/^the document has no valid timestamp: set --at/),
    expect.stringMatching(/^the document does not end: <\/nvidia_smi_log> is missing/),
  ]);
  expect(rejects[0]?.text).toContain('<gpu id="00000000:01:00.0">');
});

describe('an incomplete document does not affect others', () => {
  const WARNING = 'WARNING: infoROM is corrupted at gpu 0000:00:1E.0';
  const CUT = 'the document does not end: </nvidia_smi_log> is missing';
  let nextCustomer = 100;
  const at = hoursAgo(1);
  const first = log(at, v12('GPU-first'));
  const second = log(at, v11('GPU-second'));
  const cut = first.slice(0, first.indexOf('<fb_memory_usage>'));

  test.each<[string, string, string[], [line: number, reason: string | RegExp][]]>([
    [
      'a line between two documents',
      `${first}${WARNING}\n${second}`,
      ['GPU-first', 'GPU-second'],
      [[first.split('\n').length, 'text outside of a document']],
    ],
    [
      'a line before the first',
      `${WARNING}\n\n${second}`,
      ['GPU-second'],
      [[1, /^not XML: import the output of nvidia-smi -q -x, not of nvidia-smi -q$/]],
    ],
    [
      'a help text before the first',
      `    <no arguments>   Show a summary of GPUs connected to the system.\n\n${second}`,
      ['GPU-second'],
      [[1, /^not XML: import the output/]],
    ],
    ['a document that is cut', `${cut}\n${second}`, ['GPU-second'], [[1, CUT]]],
    ['one that is cut in a line', `${cut}${second}${first}`, ['GPU-first', 'GPU-second'], [[1, CUT]]],
    ['only its first line', `<?xml version="1.0" ?>\n${second}`, ['GPU-second'], [[1, CUT]]],
    [
      'a cut one, then one without its prolog',
      `${cut}\n${second.slice(second.indexOf('<nvidia'))}`,
      ['GPU-second'],
      [[1, CUT]],
    ],
    [
      'a cut one, then one without its first line',
      `${cut}\n${second.slice(second.indexOf('<!DOC'))}`,
      ['GPU-second'],
      [[1, CUT]],
    ],
    [
      'an end without its beginning',
      `${first.slice(cut.length)}${second}`,
      ['GPU-second'],
      [[1, /^not XML: /]],
    ],
    ['documents of one line each', (first + second).replaceAll('\n', ''), ['GPU-first', 'GPU-second'], []],
  ])('%s', async (_name, text, gpus, faults) => {
    const customerId = nextCustomer++;
    const { written, rejected, rejects } = await importXml(customerId, text);
    expect(rejects.map(({ line, reason }) => [line, reason])).toEqual(
      faults.map(([line, reason]) => [
        line,
        typeof reason === 'string' ? reason : expect.stringMatching(reason),
      ]),
    );
    expect([written, rejected]).toEqual([2 * gpus.length, faults.length]);
    expect(
      await rows(`SELECT gpu_id FROM fleet.gpu_samples WHERE customer_id = ${customerId} ORDER BY gpu_id`),
    ).toEqual(gpus.map((gpu_id) => ({ gpu_id })));
  });

  test('imports files after a plain text, and documents after a stray line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-nvidia-smi-'));
    try {
      const plain = join(folder, 'plain.txt');
      const good = join(folder, 'good.xml');
      writeFileSync(plain, '\n==============NVSMI LOG==============\n\nTimestamp : today\n');
      writeFileSync(good, first);
      const options = ['--host', 'node-1', '--customer', '90', '--workspace', '10', '--quiet'];
      expect(
        await runImport(database.importerUrl, ['nvidia-smi', plain, good, ...options], { cwd: folder }),
      ).toEqual({
        code: 1,
        result: { written: 2, duplicate: 0, rejected: 2, reject_file: 'plain.txt.rejects.ndjson' },
        errors: expect.stringContaining(
          'plain.txt: the file has no XML but looks like text of nvidia-smi (print XML with nvidia-smi -q -x): use the adapter nvidia-smi.',
        ),
      });
      const [explained] = readFileSync(join(folder, 'plain.txt.rejects.ndjson'), 'utf8').split('\n');
      expect(JSON.parse(explained as string)).toMatchObject({
        file: plain,
        line: 2,
        reason: expect.stringContaining('import the output of nvidia-smi -q -x, not of nvidia-smi -q'),
      });
      const input = `${first}${WARNING}\n${second}`;
      expect(
        await runImport(database.importerUrl, ['nvidia-smi', '-', '--follow', ...options], {
          input,
          cwd: folder,
        }),
      ).toMatchObject({ code: 0, result: { written: 2, duplicate: 2, rejected: 1 } });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
