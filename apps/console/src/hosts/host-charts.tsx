import { useMemo } from 'react';
import type { Series } from '../charts/time-series.tsx';
import { TitledSeries } from '../charts/titled-series.tsx';
import type { HostDetail } from '../data/fleet-queries.ts';
import type { GpuHistory } from '../data/queries.ts';
import { Empty, Skeleton } from '../parts/states.tsx';
import { useHostHistory } from './host-gpus.tsx';
import { hostSeries } from './host-series.ts';
import page from '../gpus/gpu-page.module.css';

/** The readings of the host over time: the mean, the highest or the sum of its GPUs. */
export function HostCharts({ host }: { host: HostDetail }) {
  const queries = useHostHistory(host);
  const isLoading = queries.some(({ isPending }) => isPending);
  const responses = queries.map(({ data }) => data);
  const key = responses.map((data) => `${data?.gpu_id} ${data?.to} ${data?.readings.at.length}`).join();
  // The list of responses is a new one in each rendering.
  const charts = useMemo(
    () => hostSeries(responses.filter((data): data is GpuHistory => data !== undefined)),
    [key, isLoading],
  );
  if (isLoading) return <Skeleton height="150px" />;
  if (charts.length === 0) return <Empty title="No readings in this window." />;
  return (
    <div className={page.charts}>
      {charts.map(({ title, times, series }) => (
        <TitledSeries key={title} times={times} series={[series] as [Series]} title={title} height={130} />
      ))}
    </div>
  );
}
