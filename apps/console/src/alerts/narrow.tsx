import { Link } from '@tanstack/react-router';
import { listOf } from '../parts/value-list.ts';
import type { Search } from '../search.ts';
import { alertsOfHost, type Excludable, type Facet, FACETS, withExcluded, withSelected } from './filters.ts';
import { equalTitle } from './groupings.ts';
import styles from './narrow.module.css';

interface NarrowProps {
  field: Excludable;
  value: string;
  /** What the value is, such as "this host". */
  noun: string;
}

/** Links to the list with this value only, and without it; the other filters stay. */
export function Narrow({ field, value, noun }: NarrowProps) {
  return (
    <span className={styles.narrow}>
      <Link
        to="/alerts"
        search={(search) => only(search, field, value)}
        preload={false}
        title={`Only ${noun}`}
      >
        only<span className="visually-hidden"> {noun}</span>
      </Link>
      <Link
        to="/alerts"
        search={(search) => ({ ...without(search, field, value), alert: undefined })}
        preload={false}
        title={`Not ${noun}`}
      >
        not<span className="visually-hidden"> {noun}</span>
      </Link>
    </span>
  );
}

function isFacet(field: Excludable): field is Facet {
  return FACETS.some((facet) => facet === field);
}

function only(search: Search, field: Excludable, value: string): Search {
  if (field === 'hostname') return { ...search, not_hostname: undefined, ...alertsOfHost(value) };
  if (field === 'title') return { ...search, not_title: undefined, ...equalTitle(value) };
  return isFacet(field) ? withSelected({ ...search, [field]: undefined }, field, value) : search;
}

function without(search: Search, field: Excludable, value: string): Search {
  const name = `not_${field}`;
  const isExcluded = listOf(search[name]).includes(value);
  return isExcluded ? search : withExcluded(search, field, value);
}
