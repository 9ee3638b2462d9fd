import type { Usage } from './queries.ts';
import styles from './usage.module.css';

/** The shares of busy, idle and missing hours, of a width relative to `max` hours. The numbers stand next to it. */
export function UsageBar({ usage, max }: { usage: Usage; max?: number }) {
  const total = hoursOf(usage);
  const parts = [
    ['busy', usage.busy_gpu_hours],
    ['idle', usage.idle_gpu_hours],
    ['missing', usage.missing_gpu_hours + usage.unmeasured_gpu_hours],
  ] as const;
  return (
    <span
      className={styles.bar}
      style={{ width: `${(100 * total) / (max ?? (total || 1))}%` }}
      aria-hidden="true"
    >
      {parts.map(([kind, hours]) => (
        <span key={kind} data-kind={kind} style={{ flexGrow: hours }} />
      ))}
    </span>
  );
}

export function hoursOf(usage: Usage): number {
  return usage.busy_gpu_hours + usage.idle_gpu_hours + usage.missing_gpu_hours + usage.unmeasured_gpu_hours;
}
