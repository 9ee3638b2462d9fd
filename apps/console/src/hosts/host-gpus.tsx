import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RangeLine } from '../charts/range-line.tsx';
import { gpuHistoryQuery, type HostDetail, type HostGpu } from '../data/fleet-queries.ts';
import { formatCount, formatMeasure, NO_DATA } from '../data/format.ts';
import type { Job } from '../data/queries.ts';
import { gpuLabel, slotOf } from '../parts/gpu-label.ts';
import { HealthMark } from '../parts/marks.tsx';
import { Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useViewWindow } from '../parts/view-window.tsx';
import { useServices } from '../session/services.ts';
import styles from './host-page.module.css';

/** GPUs whose lines are drawn: a request each. Hosts with more have partitions of GPUs. */
export const MAX_LINES = 16;

/** Returns the readings of each GPU of a host over the window. */
export function useHostHistory({ gpus }: HostDetail) {
  const services = useServices();
  const { from } = useViewWindow('24h');
  return useQueries({
    queries: gpus.slice(0, MAX_LINES).map(({ gpu_id }) => gpuHistoryQuery(services, gpu_id, { from })),
  });
}

/** A column per GPU, in the order of the slots, so that the one that differs is seen. */
export function HostGpus({ host }: { host: HostDetail }) {
  const { gpus, jobs } = host;
  const history = useHostHistory(host);
  const row = (title: ReactNode, cell: (gpu: HostGpu, n: number) => ReactNode) => (
    <tr>
      <th scope="row">{title}</th>
      {gpus.map((gpu, n) => (
        <td key={gpu.gpu_id} data-health={gpu.health}>
          {cell(gpu, n)}
        </td>
      ))}
    </tr>
  );
  const line = (
    key: 'utilization_pct' | 'temperature_c',
    unit: string,
    range: [number, number],
    n: number,
  ) => {
    const query = history[n];
    if (query === undefined) return null;
    if (query.data === undefined) return query.isError ? NO_DATA : <Skeleton height="1.75rem" />;
    const { at, [key]: values } = query.data.readings;
    return (
      <RangeLine
        times={at}
        values={values}
        unit={unit}
        range={range}
        label={`${key} of ${gpus[n]?.gpu_id}`}
      />
    );
  };
  return (
    <div className={styles.scroller} tabIndex={0} role="region" aria-label="GPUs side by side">
      <table className={styles.gpus}>
        <thead>
          <tr>
            <th scope="col">PCIe</th>
            {gpus.map((gpu) => (
              <th key={gpu.gpu_id} scope="col" data-health={gpu.health}>
                <Link to="/gpus/$id" params={{ id: gpu.gpu_id }} title={gpu.gpu_id}>
                  {slotOf(gpu.pcie_address) || gpuLabel(gpu.gpu_id)}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row('Health', (gpu) => (
            <>
              <HealthMark health={gpu.health} />
              {gpu.since === null ? null : (
                <small>
                  <Time iso={gpu.since} />
                </small>
              )}
            </>
          ))}
          {row('Utilization', (gpu) => (
            <Reading value={gpu.latest.utilization_pct} unit="%" mean={gpu.mean.utilization_pct} />
          ))}
          {row(<LineTitle of="Utilization" />, (_gpu, n) => line('utilization_pct', '%', [0, 100], n))}
          {row('Temperature', (gpu) => (
            <Reading value={gpu.latest.temperature_c} unit="°C" mean={gpu.mean.temperature_c} />
          ))}
          {row(<LineTitle of="Temperature" />, (_gpu, n) => line('temperature_c', '°C', [20, 100], n))}
          {row('Memory', ({ latest }) => (
            <Of value={latest.memory_used_gb} limit={latest.memory_total_gb} unit="GB" />
          ))}
          {row('Power', ({ latest }) => (
            <Of value={latest.power_draw_w} limit={latest.power_limit_w} unit="W" />
          ))}
          {row('XIDs', ({ xid_errors }) => (xid_errors === null ? 'unknown' : formatCount(xid_errors)))}
          {row('Runs', ({ gpu_id }) => (
            <Runs jobs={jobs.filter((job) => job.gpu_id === gpu_id)} />
          ))}
        </tbody>
      </table>
      {gpus.length > MAX_LINES ? (
        <p className={styles.note}>Lines are drawn for the first {MAX_LINES} GPUs.</p>
      ) : null}
    </div>
  );
}

/** The line belongs to the reading above it, which has the visible title. */
function LineTitle({ of }: { of: string }) {
  return <span className="visually-hidden">{of} over time</span>;
}

function Reading({ value, unit, mean }: { value: number | null; unit: string; mean: number | null }) {
  return (
    <span data-unknown={value === null}>
      {formatMeasure(value, unit)}
      <small>{mean === null ? '' : `mean ${formatMeasure(mean, unit)}`}</small>
    </span>
  );
}

function Of({ value, limit, unit }: { value: number | null; limit: number | null; unit: string }) {
  return (
    <span data-unknown={value === null}>
      {formatMeasure(value, unit)}
      <small>{value === null || limit === null ? '' : `of ${formatMeasure(limit, unit)}`}</small>
    </span>
  );
}

/** What runs on a GPU, or else what ran there last. */
function Runs({ jobs }: { jobs: Job[] }) {
  const running = jobs.filter(({ is_running }) => is_running);
  const [job = jobs[0]] = running;
  if (job === undefined) return <small>nothing is known</small>;
  return (
    <span className={styles.job}>
      <bdi title={job.description}>{job.job || job.pod || job.name}</bdi>
      <small>
        {job.is_running ? (
          [job.owner, running.length > 1 ? `and ${formatCount(running.length - 1)} more` : '']
            .filter(Boolean)
            .join(', ')
        ) : (
          <>
            until <Time iso={job.last_seen} />
          </>
        )}
      </small>
    </span>
  );
}
