import { useQuery } from '@tanstack/react-query';
import { alertTypeTitle } from '../data/format.ts';
import { type AlertFilters as Filters, type Severity, summaryQuery } from '../data/queries.ts';
import { Facet } from '../parts/facet.tsx';
import { FilterPanel } from '../parts/filter-panel.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Skeleton } from '../parts/states.tsx';
import { Operator, TextFilter } from '../parts/text-filter.tsx';
import { operatorOf } from '../parts/text-operator.ts';
import { listOf, toggledList } from '../parts/value-list.ts';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import {
  type Facet as FacetName,
  FACET_TITLES,
  FACETS,
  isFiltered,
  TEXT_LABELS,
  TEXTS,
  withOperator,
  withoutFilters,
  withText,
} from './filters.ts';

interface AlertFiltersProps {
  search: Search;
  filters: Filters;
  /** Number of matching alerts, with its noun; empty until it is known. */
  resultText: string;
  /** Whether the request waits for a more important one. */
  isWaiting: boolean;
  /** Whether the view already shows an error; this part then shows none. */
  hasError: boolean;
  /** Changes the URL; `replace` without a new entry in the history. */
  onChange: (change: (search: Search) => Search, replace?: boolean) => void;
}

/** Text filters, and facets with the count of each value; a facet ignores its own filter. */
export function AlertFilters({
  search,
  filters,
  resultText,
  isWaiting,
  hasError,
  onChange,
}: AlertFiltersProps) {
  const query = useQuery({ ...summaryQuery(useServices(), filters), enabled: !isWaiting });
  const count = [...FACETS, ...TEXTS].filter((name) => search[name]).length;
  return (
    <FilterPanel
      count={count}
      resultText={resultText}
      onClear={isFiltered(search) ? () => onChange(withoutFilters) : undefined}
    >
      {TEXTS.map((field) => (
        <TextFilter
          key={field}
          label={TEXT_LABELS[field]}
          isSearch={field === 'title'}
          value={search[field] ?? ''}
          onChange={(value) => onChange((current) => withText(current, field, value), true)}
        >
          {field === 'hostname' ? (
            <Operator
              label={TEXT_LABELS.hostname}
              operator={operatorOf(search.hostname_operator)}
              onChange={(operator) => onChange((current) => withOperator(current, operator), true)}
            />
          ) : null}
        </TextFilter>
      ))}
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
    </FilterPanel>
  );
}

function FacetValue({ facet, value }: { facet: FacetName; value: string }) {
  if (facet === 'severity') return <SeverityMark severity={value as Severity} />;
  return facet === 'type' ? alertTypeTitle(value) : value;
}
