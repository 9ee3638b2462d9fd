import { changeText } from '../data/change.ts';
import { formatMeasure } from '../data/format.ts';
import type { Search } from '../search.ts';
import styles from './compare.module.css';

/** Whether a view is compared with the period before: `?compare=before`. */
export function isCompared({ compare }: Search): boolean {
  return compare === 'before';
}

interface CompareToggleProps {
  search: Search;
  /** Whether the window has a start, and so a period before. */
  isAvailable?: boolean;
  onChange: (change: { compare: string | undefined }) => void;
}

/** Compares the window of a view with the period of the same length before it. */
export function CompareToggle({ search, isAvailable = true, onChange }: CompareToggleProps) {
  const isOn = isCompared(search);
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-pressed={isOn && isAvailable}
      disabled={!isAvailable}
      title={
        isAvailable
          ? 'Compare with the period of the same length before'
          : 'Choose a time range to compare it with the period before'
      }
      onClick={() => onChange({ compare: isOn ? undefined : 'before' })}
    >
      Compare
    </button>
  );
}

interface ChangeProps {
  now: number | null | undefined;
  before: number | null | undefined;
  unit?: string;
}

/** The change since the period before, and its value in the unit of the current one. More is neither good nor bad, so it has no color. */
export function Change({ now, before, unit = '' }: ChangeProps) {
  return (
    <span className={styles.change}>
      {changeText(now, before, unit)}
      <span className={styles.before}> from {formatMeasure(before)}</span>
    </span>
  );
}
