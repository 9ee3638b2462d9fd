import type { ReactNode } from 'react';
import { formatCount } from '../data/format.ts';
import styles from './facet.module.css';

interface FacetProps {
  title: string;
  /** The values, with their counts where these are known. */
  counts: { value: string; count?: number; before?: number | undefined }[];
  selected: string[];
  onToggle: (value: string) => void;
  /** Values that the view leaves out. */
  excluded?: string[];
  /** Excludes a value, or no longer; without it, values cannot be excluded. */
  onExclude?: (value: string) => void;
  /** Draws a value; the plain text without it. */
  render?: (value: string) => ReactNode;
}

const NONE: string[] = [];
type Counts = { value: string; count: number }[];

/** Adds the counts of the period before; a value without one had none. */
export function withBefore(counts: Counts, before: Counts | undefined): FacetProps['counts'] {
  if (before === undefined) return counts;
  const known = new Map(before.map(({ value, count }) => [value, count]));
  return counts.map((each) => ({ ...each, before: known.get(each.value) ?? 0 }));
}

/** The values of one field with their counts, to select from or to exclude. */
export function Facet({
  title,
  counts,
  selected,
  onToggle,
  excluded = NONE,
  onExclude,
  render = (value) => value,
}: FacetProps) {
  // A selected or excluded value without matches stays visible, so that it can be removed.
  const missing = [...selected, ...excluded].filter((value) => !counts.some((each) => each.value === value));
  const values = [...counts, ...missing.map((value) => ({ value, count: 0, before: undefined }))];
  if (values.length === 0) return null;
  const max = Math.max(1, ...values.map(({ count = 0 }) => count));
  return (
    <fieldset className={styles.facet}>
      <legend>
        {title}
        {counts.some(({ before }) => before !== undefined) ? (
          <span className={styles.before}> now / before</span>
        ) : null}
      </legend>
      {values.map(({ value, count, before }) => {
        const isExcluded = excluded.includes(value);
        return (
          <div key={value} className={styles.row} data-excluded={isExcluded}>
            <label data-selected={selected.includes(value)}>
              <input type="checkbox" checked={selected.includes(value)} onChange={() => onToggle(value)} />
              <span className={styles.value}>{value === '' ? 'unknown' : render(value)}</span>
              {count === undefined ? null : (
                <>
                  <span className={styles.count}>
                    {formatCount(count)}
                    {before === undefined ? null : (
                      <span className={styles.before}> / {formatCount(before)}</span>
                    )}
                  </span>
                  <span className={styles.bar} aria-hidden="true">
                    <span style={{ width: `${(count / max) * 100}%` }} />
                  </span>
                </>
              )}
            </label>
            {onExclude ? (
              <button
                type="button"
                aria-pressed={isExcluded}
                aria-label={`not ${value || 'unknown'}`}
                title={isExcluded ? 'Excluded; click to include' : 'Exclude'}
                onClick={() => onExclude(value)}
              >
                not
              </button>
            ) : null}
          </div>
        );
      })}
    </fieldset>
  );
}
