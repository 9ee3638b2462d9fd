/**
 * Series of dcgm-exporter's default counter sets that the API has no field for. Their lines are skipped and counted, because
 * every scrape has them; series that an operator added are rejected. docs/importing.md has the reasons.
 */
const SERIES = [
  'DCGM_FI_DEV_PCIE_TX_THROUGHPUT',
  'DCGM_FI_DEV_PCIE_RX_THROUGHPUT',
  'DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL',
  'DCGM_FI_DEV_MEM_COPY_UTIL',
  'DCGM_FI_DEV_ENC_UTIL',
  'DCGM_FI_DEV_DEC_UTIL',
  'DCGM_FI_DEV_VGPU_LICENSE_STATUS',
  'DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS',
];
/** Names of dcgm-exporter 1. */
const VERSION_1_SERIES = [
  'dcgm_pcie_tx_throughput',
  'dcgm_pcie_rx_throughput',
  'dcgm_nvlink_bandwidth_total',
  'dcgm_mem_copy_utilization',
  'dcgm_enc_utilization',
  'dcgm_dec_utilization',
];

export const IGNORED_SERIES: ReadonlySet<string> = new Set([...SERIES, ...VERSION_1_SERIES]);
