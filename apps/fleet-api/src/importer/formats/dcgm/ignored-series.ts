/**
 * Families of DCGM fields (dcgm_fields.h of DCGM 2 to 4) without a field in the API, which report no fault of a GPU. Their lines
 * are skipped and counted by name; a line of an unknown series is rejected. docs/importing.md has the reasons.
 */
const FAMILIES = [
  'DCGM_FI_(?:SYSTEM|CUDA|DRIVER|NVML|PROCESS|SYNC_BOOST|PROF|IMEX|GPU|BIND)',
  // Identity and configuration.
  'DCGM_FI_DEV_(?:NAME|BRAND|SERIAL|UUID|MINOR_NUMBER|BOARD_SERIAL|GPU_(?:NAME|BRAND|UUID|MINOR_NUMBER|VIRTUAL_MODE|PSTATE))',
  'DCGM_FI_DEV_(?:NVML|OEM|ECC_INFOROM|POWER_INFOROM|INFOROM|VBIOS|PCI|PLATFORM|CPU|CPU_\\w+|MEM_AFFINITY|MEMORY_AFFINITY)_',
  'DCGM_FI_DEV_(?:COMPUTE_MODE|PERSISTENCE_MODE|GPU_(?:COMPUTE|PERSISTENCE)_MODE|MIG_|CC_MODE|COUNT|CUDA_|DIAG_STATUS|FABRIC_MANAGER_ERROR|GPM_SUPPORT|VIRTUAL_MODE|P2P)',
  'DCGM_FI_DEV_(?:ECC_(?:CURRENT|MODE|PENDING)|SUPPORTED_|VGPU_|CREATABLE_VGPU|FABRIC_(?:CLUSTER|CLIQUE|HEALTH_MASK))',
  // Clocks, power and temperatures in addition to those of the API.
  'DCGM_FI_DEV_(?:APP|MAX|VIDEO|SM|MEM|MEMORY)_\\w*CLOCK|DCGM_FI_DEV_(?:AUTOBOOST|SUPPORTED_CLOCKS|CLOCKS_|CLOCK_)',
  'DCGM_FI_DEV_(?:POWER|BOARD_POWER|ENFORCED_POWER|PWR|SYSIO|MODULE|REQUESTED_POWER|VALID_POWER)_',
  'DCGM_FI_DEV_(?:GPU_(?:MAX_OP_TEMP|TEMP_LIMIT|TEMP_MARGIN)|PSTATE)',
  // Time below the requested clocks. The throttle reasons have the cause.
  'DCGM_FI_DEV_\\w+_VIOLATION',
  // Memory and traffic.
  'DCGM_FI_DEV_(?:BAR1|FB|C2C)_|DCGM_FI_DEV_PCIE_|DCGM_FI_DEV_(?:MEM_COPY|ENC|DEC)_UTIL|DCGM_FI_DEV_(?:ENC|FBC|ACCOUNTING|PROCESS_ACCOUNTING)_',
  // NVSwitches and network cards.
  'DCGM_FI_DEV_(?:NVSWITCH|SXID|CONNECTX)_',
  // Parts of sums that are stored, corrected errors and lifetime totals.
  'DCGM_FI_DEV_ECC_[SD]BE_|DCGM_FI_DEV_NVLINK_|DCGM_FI_DEV_(?:PAGE_)?RETIRED_|DCGM_FI_DEV_BANKS?_REMAP_',
  'DCGM_FI_DEV_(?:CORRECTABLE_REMAPPED_ROWS|ROW_REMAP_CORRECTABLE|GPU_NVLINK|NVLINK)',
  'DCGM_EXP_(?:CLOCK_EVENTS_COUNT|P2P_STATUS)',
  // dcgm-exporter 1.
  'dcgm_(?:pcie_[rt]x_throughput|nvlink_bandwidth_total|mem_copy_utilization|enc_utilization|dec_utilization|power_violation|thermal_violation)',
];
const IGNORED = new RegExp(`^(?:${FAMILIES.join('|')})`);

/** Returns whether a series without a field is known, so that its lines are counted and not rejected. */
export function isIgnoredSeries(series: string): boolean {
  return IGNORED.test(series);
}
