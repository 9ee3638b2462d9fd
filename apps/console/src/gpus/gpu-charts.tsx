import { useMemo } from 'react';
import { type Series } from '../charts/time-series.tsx';
import { TitledSeries } from '../charts/titled-series.tsx';
import { formatCount } from '../data/format.ts';
import type { GpuHistory } from '../data/queries.ts';
import { Empty } from '../parts/states.tsx';
import styles from './gpu-page.module.css';

type Key = Exclude<keyof GpuHistory['readings'], 'at'>;
const READINGS: [key: Key, label: string, unit: string, color?: string][] = [
  ['utilization_pct', 'Utilization', '%'],
  ['memory_used_gb', 'Memory', 'GB'],
  ['temperature_c', 'Temperature', '°C', 'degraded'],
  ['power_draw_w', 'Power', 'W'],
  ['memory_temperature_c', 'Memory temperature', '°C', 'degraded'],
  ['fan_pct', 'Fan', '%'],
  ['sm_clock_mhz', 'SM clock', 'MHz'],
  ['memory_clock_mhz', 'Memory clock', 'MHz'],
  ['tensor_active_pct', 'Tensor cores active', '%'],
  ['dram_active_pct', 'DRAM active', '%'],
  ['pcie_tx_mb_per_second', 'PCIe sent', 'MB/s'],
  ['pcie_rx_mb_per_second', 'PCIe received', 'MB/s'],
];

interface GpuChartsProps {
  history: GpuHistory;
  /** The window in words. */
  title: string;
}

/** Every reading of the GPU over the window; a gap is a time without reports. */
export function GpuCharts({ history: { readings, step_seconds }, title }: GpuChartsProps) {
  const { times, charts } = useMemo(
    () => ({
      times: readings.at.map((at) => Date.parse(at) / 1_000),
      charts: READINGS.flatMap(([key, label, unit, color]) => {
        const values = readings[key];
        if (values === undefined || values.every((value) => value === null)) return [];
        return [{ label, unit, values, ...(color && { color }) } satisfies Series];
      }),
    }),
    [readings],
  );
  if (charts.length === 0) {
    return (
      <Empty title={`No telemetry in ${title}.`}>
        <p>Choose a longer window to see what it did before.</p>
      </Empty>
    );
  }
  const minutes = step_seconds / 60;
  return (
    <>
      <p className={styles.gaps}>
        Means of {minutes < 60 ? `${formatCount(minutes)} min` : `${formatCount(minutes / 60)} h`}.
      </p>
      <div className={styles.charts}>
        {charts.map((series) => (
          <Chart key={series.label} times={times} series={series} title={`${series.label} over ${title}`} />
        ))}
      </div>
    </>
  );
}

function Chart({ times, series, title }: { times: number[]; series: Series; title: string }) {
  const list = useMemo<[Series]>(() => [series], [series]);
  return <TitledSeries times={times} series={list} title={title} height={130} />;
}
