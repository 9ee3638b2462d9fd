import { formatCount, formatMeasure, NO_DATA } from '../data/format.ts';
import type { GpuDetail } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import styles from './gpu-page.module.css';

/** What runs on the GPU. */
export function GpuProcesses({ gpu: { health, processes } }: { gpu: GpuDetail }) {
  return (
    <Panel title="Processes">
      {processes.length === 0 ? (
        <Empty title={health === 'missing' ? 'Unknown: the GPU does not report.' : 'None reported.'}>
          <p>Only processes of the last reports are known, from hosts that report processes.</p>
        </Empty>
      ) : (
        <div className={styles.scroller} tabIndex={0} role="region" aria-label="Processes">
          <table className={styles.processes}>
            <thead>
              <tr>
                <th>PID</th>
                <th>Name</th>
                <th>Workload</th>
                <th>Utilization</th>
                <th>Memory</th>
                <th>Started</th>
              </tr>
            </thead>
            <tbody>
              {processes.map((process) => (
                <tr key={`${process.pid} ${process.started_at}`}>
                  <td className={styles.code}>{process.pid || NO_DATA}</td>
                  <td className={styles.wrapped}>
                    <bdi>{process.name}</bdi>
                    {process.description === '' ? null : (
                      <small>
                        <bdi>{process.description}</bdi>
                      </small>
                    )}
                  </td>
                  <td className={styles.wrapped}>
                    <bdi>{process.usage_category || 'unclassified'}</bdi>
                  </td>
                  <td>{formatMeasure(process.gpu_utilization_pct, '%')}</td>
                  <td>{formatMeasure(process.memory_usage_gb, 'GB')}</td>
                  <td>
                    <Time iso={process.started_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** How long the GPU was busy, and the kinds of its processes. */
export function GpuUtilization({ gpu: { utilization } }: { gpu: GpuDetail }) {
  const { busy_seconds_24h: busy, idle_seconds_24h: idle } = utilization;
  const total = busy + idle;
  return (
    <Panel title="Busy and idle, 24 hours">
      {total === 0 ? (
        <Empty title="No telemetry in the last 24 hours." />
      ) : (
        <>
          <p>
            {formatMeasure((100 * busy) / total, '%')} busy: {hours(busy)} of {hours(total)} with telemetry.
          </p>
          <div className={styles.share} aria-hidden="true">
            <span style={{ width: `${(100 * busy) / total}%` }} />
          </div>
        </>
      )}
      <ProcessCounts
        title="Processes by workload"
        counts={utilization.usage_categories.map(({ usage_category, process_count }) => [
          usage_category || 'unclassified',
          process_count,
        ])}
      />
      <ProcessCounts
        title="Processes by name"
        counts={utilization.process_families.map(({ name, process_count }) => [name, process_count])}
      />
    </Panel>
  );
}

function ProcessCounts({ title, counts }: { title: string; counts: [name: string, count: number][] }) {
  if (counts.length === 0) return null;
  return (
    <>
      <h3 className={styles.subheading}>{title}</h3>
      <ul className={styles.list}>
        {counts.map(([name, count]) => (
          <li key={name}>
            <strong>{formatCount(count)}</strong>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

function hours(seconds: number): string {
  return formatMeasure(seconds / 3_600, 'h');
}
