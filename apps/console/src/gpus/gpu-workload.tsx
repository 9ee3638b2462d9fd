import { formatCount, formatMeasure } from '../data/format.ts';
import type { GpuDetail } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import styles from './gpu-page.module.css';

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
