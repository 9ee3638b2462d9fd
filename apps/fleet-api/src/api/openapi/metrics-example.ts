/** One value per day of a window of two days. */
const days = (first: number, second: number) => [
  { date: 'Nov 21', value: first },
  { date: 'Nov 22', value: second },
];

export const metrics = {
  metrics: {
    alerts_by_severity: [
      { label: 'critical', value: 1713, data: days(61, 67) },
      { label: 'high', value: 3136, data: days(86, 113) },
      { label: 'medium', value: 3868, data: days(116, 133) },
      { label: 'low', value: 2538, data: days(80, 87) },
      { label: 'info', value: 946, data: days(34, 22) },
    ],
    top_alert_types: [
      { icon: 'process', title: 'Process anomaly', count: 681 },
      { icon: 'network', title: 'Network anomaly', count: 627 },
    ],
    asset_coverage: [
      { label: 'GPUs', count: 312, data: days(312, 311) },
      { label: 'Hosts', count: 39, data: days(39, 39) },
      { label: 'Containers', count: 2548, data: days(180, 160) },
      { label: 'VMs', count: 24, data: days(24, 24) },
      { label: 'Workspaces', count: 3, data: days(3, 3) },
    ],
    metrics_summary: {
      gpu_count: 312,
      avg_gpu_utilization: 41.5873,
      avg_gpu_temperature: 49.5962,
      avg_gpu_power: 233.1658,
      avg_gpu_memory: 40.7719,
      avg_gpu_fan_speed: 31.3601,
      avg_clock_speed: 1481.4006,
      avg_memory_clock: 2861.9043,
      avg_memory_temperature_c: 61.2,
      avg_tensor_active_pct: 22.4,
      avg_dram_active_pct: 18.9,
      avg_pcie_tx_mb_per_second: 214.3,
      avg_pcie_rx_mb_per_second: 196.8,
      total_energy_kwh: 157104.6,
      avg_health_score: 96.0596,
      avg_thermal_slope: 0.0004,
      total_ecc_errors: 746116,
      total_xid_errors: 1741,
      active_crash_chains: 2,
      total_throttle_events: 230249,
      avg_cpu_load: 49.6597,
      avg_cpu_utilization: 31.7226,
      process_count: 3167,
      avg_fork_rate: 5.0265,
      avg_exit_rate: 5.0063,
      container_count: 2548,
      gpu_container_count: 2066,
      mps_container_count: 316,
      container_process_count: 2548,
      vm_count: 24,
    },
    metrics_charts: {
      gpu_count: days(312, 311),
      avg_gpu_utilization: days(40.0936, 45.9361),
    },
  },
};
