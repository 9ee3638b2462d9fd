import { alertTypeTitle, formatCount } from '../data/format.ts';
import type { Severity } from '../data/queries.ts';
import { SeverityMark } from '../parts/marks.tsx';
import type { Search } from '../router.tsx';
import { type Facet, FACETS, selectedValues } from './filters.ts';
import styles from './facets.module.css';

type Counts = Record<Facet, { value: string; count: number }[]>;

const TITLES: Record<Facet, string> = { severity: 'Severity', type: 'Type', state: 'State' };

interface FacetsProps {
  counts: Counts;
  search: Search;
  onToggle: (facet: Facet, value: string) => void;
}

/** The values of severity, type and state with their counts. Each facet ignores its own selection. */
export function Facets({ counts, search, onToggle }: FacetsProps) {
  return (
    <div className={styles.facets}>
      {FACETS.map((facet) => {
        const selected = selectedValues(search, facet);
        const listed = counts[facet];
        // A selected value without alerts stays visible, so that it can be removed.
        const missing = selected.filter((value) => !listed.some((each) => each.value === value));
        const values = [...listed, ...missing.map((value) => ({ value, count: 0 }))];
        const max = Math.max(1, ...values.map(({ count }) => count));
        return (
          <fieldset key={facet}>
            <legend>{TITLES[facet]}</legend>
            {values.map(({ value, count }) => (
              <label key={value} data-selected={selected.includes(value)}>
                <input
                  type="checkbox"
                  checked={selected.includes(value)}
                  onChange={() => onToggle(facet, value)}
                />
                <span className={styles.value}>
                  {facet === 'severity' ? (
                    <SeverityMark severity={value as Severity} />
                  ) : facet === 'type' ? (
                    alertTypeTitle(value)
                  ) : (
                    value
                  )}
                </span>
                <span className={styles.count}>{formatCount(count)}</span>
                <span className={styles.bar} aria-hidden="true">
                  <span style={{ width: `${(count / max) * 100}%` }} />
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
