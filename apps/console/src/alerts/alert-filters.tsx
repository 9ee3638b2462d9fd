import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { alertTypeTitle } from '../data/format.ts';
import { type AlertFilters as Filters, type Severity, summaryQuery } from '../data/queries.ts';
import { Facet, withBefore } from '../parts/facet.tsx';
import { FilterPanel } from '../parts/filter-panel.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Skeleton } from '../parts/states.tsx';
import { Operator, TextFilter } from '../parts/text-filter.tsx';
import { operatorOf } from '../parts/text-operator.ts';
import { listOf } from '../parts/value-list.ts';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import styles from './alert-filters.module.css';
import { Exclusions } from './exclusions.tsx';
import { TopHosts } from './top-hosts.tsx';
import {
  type Facet as FacetName,
  FACET_TITLES,
  isFiltered,
  NARROWING,
  TEXT_LABELS,
  TEXTS,
  withExcluded,
  withOperator,
  withoutFilters,
  withSelected,
  withText,
} from './filters.ts';

interface AlertFiltersProps {
  search: Search;
  filters: Filters;
  /** The filters with the window of the period before, to compare with. */
  before: Filters | undefined;
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
  before,
  resultText,
  isWaiting,
  hasError,
  onChange,
}: AlertFiltersProps) {
  const services = useServices();
  const query = useQuery({ ...summaryQuery(services, filters), enabled: !isWaiting });
  const past = useQuery({
    ...summaryQuery(services, before ?? filters),
    enabled: !isWaiting && before !== undefined,
  });
  const summaryBefore = before === undefined ? undefined : past.data?.summary;
  const count = NARROWING.filter((name) => search[name]).length;
  return (
    <FilterPanel
      count={count}
      resultText={resultText}
      onClear={isFiltered(search) ? () => onChange(withoutFilters) : undefined}
    >
      <TextFilter
        label="Search title, description and host"
        isSearch
        value={search.q ?? ''}
        onChange={(q) => onChange((current) => ({ ...current, q: q || undefined }), true)}
      />
      <TextFilters search={search} onChange={onChange} />
      <Exclusions search={search} onChange={onChange} />
      {hasError ? null : (
        <Loaded query={query} skeleton={<Skeleton lines={12} />}>
          {({ summary }) => {
            const facetOf = (facet: FacetName) => (
              <Facet
                title={FACET_TITLES[facet]}
                counts={withBefore(summary[facet], summaryBefore?.[facet])}
                selected={listOf(search[facet])}
                onToggle={(value) => onChange((current) => withSelected(current, facet, value))}
                excluded={listOf(search[`not_${facet}`])}
                onExclude={(value) => onChange((current) => withExcluded(current, facet, value))}
                render={(value) => <FacetValue facet={facet} value={value} />}
              />
            );
            return (
              <>
                {facetOf('severity')}
                {facetOf('state')}
                <TopHosts
                  search={search}
                  filters={filters}
                  before={before}
                  isWaiting={isWaiting}
                  onChange={onChange}
                />
                {facetOf('type')}
              </>
            );
          }}
        </Loaded>
      )}
    </FilterPanel>
  );
}

/** Filters of single fields, which are open if one is set: most people search all of them at once. */
function TextFilters({ search, onChange }: Pick<AlertFiltersProps, 'search' | 'onChange'>) {
  const isSet = TEXTS.some((field) => search[field]);
  const [isOpen, setOpen] = useState(isSet);
  // A link may set one. Emptying a field does not close it.
  useEffect(() => {
    if (isSet) setOpen(true);
  }, [isSet]);
  return (
    <details
      className={styles.texts}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Title, description or host only</summary>
      {TEXTS.map((field) => (
        <TextFilter
          key={field}
          label={TEXT_LABELS[field]}
          value={search[field] ?? ''}
          onChange={(value) => onChange((current) => withText(current, field, value), true)}
        >
          <Operator
            label={TEXT_LABELS[field]}
            operator={operatorOf(search[`${field}_operator`])}
            onChange={(operator) => onChange((current) => withOperator(current, field, operator), true)}
          />
        </TextFilter>
      ))}
    </details>
  );
}

function FacetValue({ facet, value }: { facet: FacetName; value: string }) {
  if (facet === 'severity') return <SeverityMark severity={value as Severity} />;
  return facet === 'type' ? alertTypeTitle(value) : value;
}
