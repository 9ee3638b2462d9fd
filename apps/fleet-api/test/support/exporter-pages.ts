/** UUID of the GPU of `smiPage`, without its prefix. */
export const UUID = '604ac76c-d9cf-fef3-62e9-d92044ab6e52';

export const amdLabels = (gpu: number, more = '') =>
  `{card_model="102-G30211-0C",card_series="AMD Instinct MI300X OAM",card_vendor="AMD",cluster_name="",container="",` +
  `driver_version="6.12.12",gpu_compute_partition_type="spx",gpu_id="${gpu}",gpu_memory_partition_type="nps1",` +
  `gpu_partition_id="0",hostname="tw038",namespace="",pod="",serial_number="69240900540${gpu}",vbios_version="022.040"${more}}`;
/** The page of AMD device-metrics-exporter on a node of two GPUs, with a prefix of its series. */
export const amdPage = (prefix = '') =>
  [
    '# HELP gpu_nodes_total Number of GPU nodes on the machine',
    `${prefix}gpu_nodes_total{hostname="tw038"} 2`,
    ...[0, 1].flatMap((gpu) => [
      `${prefix}gpu_gfx_activity${amdLabels(gpu)} ${40 + gpu}`,
      `${prefix}gpu_junction_temperature${amdLabels(gpu)} 51`,
      `${prefix}gpu_memory_temperature${amdLabels(gpu)} 47`,
      `${prefix}gpu_package_power${amdLabels(gpu)} 212.5`,
      `${prefix}gpu_power_usage${amdLabels(gpu)} 430`,
      `${prefix}gpu_used_vram${amdLabels(gpu)} 283`,
      `${prefix}gpu_total_vram${amdLabels(gpu)} 196592`,
      `${prefix}gpu_clock${amdLabels(gpu, ',clock_index="0",clock_type="GPU_CLOCK_TYPE_SYSTEM"')} 132`,
      `${prefix}gpu_clock${amdLabels(gpu, ',clock_index="1",clock_type="GPU_CLOCK_TYPE_SYSTEM"')} 134`,
      `${prefix}gpu_clock${amdLabels(gpu, ',clock_index="8",clock_type="GPU_CLOCK_TYPE_MEMORY"')} 900`,
      `${prefix}gpu_clock${amdLabels(gpu, ',clock_index="9",clock_type="GPU_CLOCK_TYPE_VIDEO"')} 29`,
      `${prefix}gpu_umc_activity${amdLabels(gpu)} 12`,
      `${prefix}gpu_prof_tensor_active_percent${amdLabels(gpu)} 8.5`,
      `${prefix}gpu_energy_consumed${amdLabels(gpu)} 1.5346810943e+13`,
      `${prefix}gpu_ecc_correct_total${amdLabels(gpu)} 3`,
      `${prefix}gpu_ecc_uncorrect_total${amdLabels(gpu)} 0`,
      `${prefix}pcie_replay_count${amdLabels(gpu)} 1`,
    ]),
  ].join('\n');

/** The page of nvidia_gpu_exporter on a node of one GPU. */
export const smiPage = [
  '# TYPE nvidia_smi_gpu_info gauge',
  `nvidia_smi_gpu_info{cuda_version="12.4",driver_version="550.54.15",name="NVIDIA L4",uuid="${UUID}",vbios_version="95.04.29",pci_bus_id="00000000:31:00.0",serial="[N/A]",compute_cap="8.9",index="0"} 1`,
  ...Object.entries({
    utilization_gpu_ratio: 0.42,
    memory_used_bytes: 706_740_224,
    memory_total_bytes: 24_152_899_584,
    temperature_gpu: 34,
    power_draw_watts: 28.07,
    enforced_power_limit_watts: 72,
    power_limit_watts: 72,
    fan_speed_ratio: 0.38,
    clocks_current_sm_clock_hz: 2.04e9,
    clocks_current_memory_clock_hz: 6.251e9,
    clocks_event_reasons_active: 4,
    ecc_errors_corrected_volatile_total: 0,
    ecc_errors_uncorrected_volatile_total: 0,
    remapped_rows_failure: 0,
    remapped_rows_pending: 1,
    remapped_rows_uncorrectable: 2,
    energy_joules_total: 74_881_269.921,
    pcie_throughput_tx_bytes_per_second: 4_096_000,
    pcie_throughput_rx_bytes_per_second: 0,
    pstate: 0,
  }).map(([name, value]) => `nvidia_smi_${name}{uuid="${UUID}"} ${value}`),
  'nvidia_smi_command_exit_code 0',
].join('\n');

/** Adds a timestamp to each line of a page. */
export function pageAt(page: string, at: string): string {
  return page.replace(/^[^#].*$/gm, (line) => `${line} ${Date.parse(at)}`);
}
