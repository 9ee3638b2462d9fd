import { listOf } from '../parts/value-list.ts';
import type { Search } from '../search.ts';
import styles from './exclusions.module.css';
import { withExcluded } from './filters.ts';

const FIELDS = [
  ['hostname', 'host'],
  ['title', 'title'],
] as const;

interface ExclusionsProps {
  search: Search;
  onChange: (change: (search: Search) => Search) => void;
}

/** Excluded hosts and titles, and the key whose alerts are shown; each with a button that removes it. */
export function Exclusions({ search, onChange }: ExclusionsProps) {
  const chips = FIELDS.flatMap(([field, noun]) =>
    listOf(search[`not_${field}`]).map((value) => {
      const remove = (current: Search) => withExcluded(current, field, value);
      return { label: `not ${noun}`, value, remove };
    }),
  );
  if (search.api_key) {
    const remove = (current: Search) => ({ ...current, api_key: undefined });
    chips.push({ label: 'API key', value: search.api_key, remove });
  }
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Further filters">
      {chips.map(({ label, value, remove }) => (
        <li key={`${label} ${value}`}>
          <span>{label}</span> <bdi title={value}>{value}</bdi>
          <button type="button" aria-label={`Remove ${label} ${value}`} onClick={() => onChange(remove)}>
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
