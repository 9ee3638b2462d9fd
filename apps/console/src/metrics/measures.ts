import type { FleetMetrics } from '../data/queries.ts';

type Key = keyof FleetMetrics['metrics_summary'];

/** How the summary of the window relates to its days; `now` is a number of the present, without days. */
export type Aggregate = 'mean' | 'sum' | 'seen' | 'now';

export interface Measure {
  key: Key;
  label: string;
  unit: string;
  aggregate: Aggregate;
}

const measure = (key: Key, label: string, unit = ''): Measure => ({
  key,
  label,
  unit,
  aggregate: aggregateOf(key),
});

/** `avg_*` are means, `total_*` sums over the window; `*_count` are numbers of distinct entities in the window. */
function aggregateOf(key: Key): Aggregate {
  if (key.startsWith('active_')) return 'now';
  return key.startsWith('avg_') ? 'mean' : key.endsWith('_count') ? 'seen' : 'sum';
}

/** The documented keys of `metrics_summary`, in the order of the view. Assets have separate charts. */
export const MEASURE_GROUPS: { title: string; measures: Measure[] }[] = [
  {
    title: 'GPU load',
    measures: [
      measure('avg_gpu_utilization', 'Utilization', '%'),
      measure('avg_gpu_memory', 'Memory', '%'),
      measure('avg_gpu_power', 'Power', 'W'),
      measure('avg_gpu_temperature', 'Temperature', '°C'),
      measure('avg_gpu_fan_speed', 'Fan speed', '%'),
      measure('avg_clock_speed', 'SM clock', 'MHz'),
      measure('avg_memory_clock', 'Memory clock', 'MHz'),
      measure('avg_memory_temperature_c', 'Memory temperature', '°C'),
      measure('avg_tensor_active_pct', 'Tensor cores active', '%'),
      measure('avg_dram_active_pct', 'DRAM active', '%'),
      measure('avg_pcie_tx_mb_per_second', 'PCIe sent', 'MB/s'),
      measure('avg_pcie_rx_mb_per_second', 'PCIe received', 'MB/s'),
      measure('total_energy_kwh', 'Energy', 'kWh'),
    ],
  },
  {
    title: 'GPU health',
    measures: [
      measure('avg_health_score', 'Health score'),
      measure('total_xid_errors', 'XID errors'),
      measure('total_ecc_errors', 'ECC errors'),
      measure('total_throttle_events', 'Throttle events'),
      measure('active_crash_chains', 'Active crash chains'),
      measure('avg_thermal_slope', 'Thermal slope', '°C/min'),
    ],
  },
  {
    title: 'Hosts and processes',
    measures: [
      measure('avg_cpu_utilization', 'CPU utilization', '%'),
      measure('avg_cpu_load', 'CPU load'),
      measure('process_count', 'Processes'),
      measure('avg_fork_rate', 'Forks', '/s'),
      measure('avg_exit_rate', 'Exits', '/s'),
    ],
  },
  {
    title: 'Containers',
    measures: [
      measure('gpu_container_count', 'Containers with GPUs'),
      measure('mps_container_count', 'Containers under MPS'),
      measure('container_process_count', 'Processes in containers'),
    ],
  },
];

/** Returns the measures of a group that are shown: those with a chart, and numbers of the present next to them. */
export function shownMeasures(measures: Measure[], charts: FleetMetrics['metrics_charts']): Measure[] {
  const hasChart = ({ key }: Measure) => charts[key] !== undefined;
  if (!measures.some(hasChart)) return [];
  return measures.filter((each) => each.aggregate === 'now' || hasChart(each));
}
