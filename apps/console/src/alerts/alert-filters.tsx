import { useQuery } from '@tanstack/react-query';
import { alertTypeTitle } from '../data/format.ts';
import { type AlertFilters as Filters, type Severity, summaryQuery } from '../data/queries.ts';
import { Facet, listOf, toggledList } from '../parts/facet.tsx';
import { FilterDrawer } from '../parts/filter-drawer.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Skeleton } from '../parts/states.tsx';
import { TextFilter } from '../parts/text-filter.tsx';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import {
  type Facet as FacetName,
  FACET_TITLES,
  FACETS,
  isFiltered,
  TEXT_LABELS,
  TEXTS,
  withoutFilters,
} from './filters.ts';
import list from '../parts/list-view.module.css';

interface AlertFiltersProps {
  search: Search;
  filters: Filters;
  /** Whether the request waits for a more important one. */
  isWaiting: boolean;
  /** Whether the view already shows an error; this part then shows none. */
  hasError: boolean;
  /** Changes the URL; `replace` without a new entry in the history. */
  onChange: (change: (search: Search) => Search, replace?: boolean) => void;
}

/** Text filters, and facets with the count of each value; a facet ignores its own filter. */
export function AlertFilters({ search, filters, isWaiting, hasError, onChange }: AlertFiltersProps) {
  const query = useQuery({ ...summaryQuery(useServices(), filters), enabled: !isWaiting });
  const count = [...FACETS, ...TEXTS].filter((name) => search[name]).length;
  return (
    <FilterDrawer title={count === 0 ? 'Filters' : `Filters (${count})`}>
      {TEXTS.map((field) => (
        <TextFilter
          key={field}
          label={TEXT_LABELS[field]}
          isSearch={field === 'title'}
          value={search[field] ?? ''}
          onChange={(value) => onChange((current) => ({ ...current, [field]: value || undefined }), true)}
        />
      ))}
      {isFiltered(search) ? (
        <button type="button" className={list.clear} onClick={() => onChange(withoutFilters)}>
          Clear filters
        </button>
      ) : null}
      {hasError ? null : (
        <Loaded query={query} skeleton={<Skeleton lines={12} />}>
          {({ summary }) =>
            FACETS.map((facet) => (
              <Facet
                key={facet}
                title={FACET_TITLES[facet]}
                counts={summary[facet]}
                selected={listOf(search[facet])}
                onToggle={(value) =>
                  onChange((current) => ({ ...current, [facet]: toggledList(current[facet], value) }))
                }
                render={(value) => <FacetValue facet={facet} value={value} />}
              />
            ))
          }
        </Loaded>
      )}
    </FilterDrawer>
  );
}

function FacetValue({ facet, value }: { facet: FacetName; value: string }) {
  if (facet === 'severity') return <SeverityMark severity={value as Severity} />;
  return facet === 'type' ? alertTypeTitle(value) : value;
}
