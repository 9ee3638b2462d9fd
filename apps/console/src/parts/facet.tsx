import type { ReactNode } from 'react';
import { formatCount } from '../data/format.ts';
import styles from './facet.module.css';

interface FacetProps {
  title: string;
  counts: { value: string; count: number }[];
  selected: string[];
  onToggle: (value: string) => void;
  /** Draws a value; the plain text without it. */
  render?: (value: string) => ReactNode;
}

/** The values of one field with their counts, to select from. */
export function Facet({ title, counts, selected, onToggle, render = (value) => value }: FacetProps) {
  // A selected value without matches stays visible, so that it can be removed.
  const missing = selected.filter((value) => !counts.some((each) => each.value === value));
  const values = [...counts, ...missing.map((value) => ({ value, count: 0 }))];
  if (values.length === 0) return null;
  const max = Math.max(1, ...values.map(({ count }) => count));
  return (
    <fieldset className={styles.facet}>
      <legend>{title}</legend>
      {values.map(({ value, count }) => (
        <label key={value} data-selected={selected.includes(value)}>
          <input type="checkbox" checked={selected.includes(value)} onChange={() => onToggle(value)} />
          <span className={styles.value}>{value === '' ? 'unknown' : render(value)}</span>
          <span className={styles.count}>{formatCount(count)}</span>
          <span className={styles.bar} aria-hidden="true">
            <span style={{ width: `${(count / max) * 100}%` }} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}
