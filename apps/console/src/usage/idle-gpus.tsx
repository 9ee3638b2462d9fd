import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatColumn, formatCount, formatMeasure, formatPower } from '../data/format.ts';
import type { GpuStatus } from '../data/queries.ts';
import { gpuLabel, slotOf } from '../parts/gpu-label.ts';
import { HostLink } from '../parts/host-link.tsx';
import { HealthMark } from '../parts/marks.tsx';
import styles from './usage.module.css';

const FIRST_GPUS = 25;

interface IdleGpusProps {
  /** The least utilized first. */
  gpus: GpuStatus[];
  workspaces: Map<number, string>;
}

/** GPUs without work in the window, and what they draw while they wait. */
export function IdleGpus({ gpus, workspaces }: IdleGpusProps) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? gpus : gpus.slice(0, FIRST_GPUS);
  const watts = gpus.reduce((sum, { latest }) => sum + (latest.power_draw_w ?? 0), 0);
  return (
    <>
      <div className={styles.scroller} tabIndex={0} role="region" aria-label="Idle GPUs">
        <table className={styles.table}>
          <thead>
            <tr>
              <th>Host</th>
              <th>GPU</th>
              <th>Model</th>
              <th>Workspace</th>
              <th>Health</th>
              <th data-number>Mean utilization</th>
              <th data-number>Utilization now</th>
              <th data-number>Power now</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((gpu) => (
              <tr key={gpu.gpu_id}>
                <th scope="row">
                  <HostLink hostname={gpu.hostname} />
                </th>
                <td className={styles.code}>
                  <Link to="/gpus/$id" params={{ id: gpu.gpu_id }}>
                    {slotOf(gpu.pcie_address) || gpuLabel(gpu.gpu_id)}
                  </Link>
                </td>
                <td>
                  <bdi>{gpu.model}</bdi>
                </td>
                <td>
                  <bdi>{workspaces.get(gpu.workspace_id) ?? `workspace ${gpu.workspace_id}`}</bdi>
                </td>
                <td>
                  <HealthMark health={gpu.health} />
                </td>
                <td data-number>{formatColumn(gpu.mean.utilization_pct, '%')}</td>
                <td data-number>{formatMeasure(gpu.latest.utilization_pct, '%')}</td>
                <td data-number>{formatPower(gpu.latest.power_draw_w)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.foot}>
        {watts > 0 ? <span>Together they draw {formatPower(watts)} now.</span> : null}
        {gpus.length > shown.length ? (
          <button type="button" onClick={() => setAll(true)}>
            Show all {formatCount(gpus.length)}
          </button>
        ) : null}
      </p>
    </>
  );
}
