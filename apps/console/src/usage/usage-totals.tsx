import { changeText } from '../data/change.ts';
import { formatMeasure } from '../data/format.ts';
import type { Usage } from './queries.ts';
import { UsageBar } from './usage-bar.tsx';
import styles from './usage.module.css';

/** The sums over all GPUs, each with its change from the window before. */
export function UsageTotals({ total, before }: { total: Usage; before: Usage | undefined }) {
  const measured = total.busy_gpu_hours + total.idle_gpu_hours;
  const numbers: [title: string, value: number | null, unit: string, before: number | null | undefined][] = [
    ['Busy', total.busy_gpu_hours, 'h', before?.busy_gpu_hours],
    ['Idle', total.idle_gpu_hours, 'h', before?.idle_gpu_hours],
    ['Missing', total.missing_gpu_hours, 'h', before?.missing_gpu_hours],
    ['Energy', total.energy_kwh, 'kWh', before?.energy_kwh],
  ];
  return (
    <section aria-label="Sums of all GPUs" className={styles.totals}>
      <dl>
        {numbers.map(([title, value, unit, previous]) => (
          <div key={title} data-kind={title.toLowerCase()}>
            <dt>{title}</dt>
            <dd>{formatMeasure(rounded(value), unit)}</dd>
            <dd className={styles.quiet}>
              {previous === undefined || value === null
                ? ''
                : changeText(rounded(value), rounded(previous), unit)}
            </dd>
          </div>
        ))}
      </dl>
      <UsageBar usage={total} />
      {measured === 0 ? null : (
        <p className={styles.quiet}>
          {formatMeasure((100 * total.busy_gpu_hours) / measured, '%')} of the hours with readings were busy.
          An hour at 30 % utilization is 0.3 busy and 0.7 idle hours.
        </p>
      )}
    </section>
  );
}

/** Hours and kWh above ten need no decimals. */
export function rounded(value: number | null): number | null {
  return value !== null && Math.abs(value) >= 10 ? Math.round(value) : value;
}
