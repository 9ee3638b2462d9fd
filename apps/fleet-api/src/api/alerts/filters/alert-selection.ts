import type { ScopeFilter } from '../../access/access-scope.ts';
import type { ReadOptions } from '../../access/tenant-database.ts';
import { parseScopeFilter } from '../../query-parameters/scope-filter.ts';
import { type SelectedValues, VALUE_FIELD_NAMES } from '../value-fields.ts';
import { type Filters, selectedValues, type TextFilter, textFilters } from './alert-filters.ts';
import type { AlertSelectionQuery } from './alert-selection.dto.ts';
import { isOpen, type SelectedWindow, timeWindow } from './time-window.ts';

/** The filters of a request for alerts. They have the same meaning for list, total, summary, trend and groups. */
export interface AlertSelection {
  scope: ScopeFilter;
  window: SelectedWindow;
  values: SelectedValues;
  texts: TextFilter[];
}

/** A query that may include the text of a search. */
export type SearchedSelectionQuery = AlertSelectionQuery & { q?: string };

/** Parsed selections. `queryValidation` returns the same object for equal queries while it is cached. */
const cache = new WeakMap<SearchedSelectionQuery, AlertSelection>();

/** @throws {DomainError} `invalid_query` */
export function parseSelection(query: SearchedSelectionQuery): AlertSelection {
  let selection = cache.get(query);
  if (selection === undefined) {
    selection = Object.freeze(selectionOf(query));
    cache.set(query, selection);
  }
  return selection;
}

function selectionOf(query: SearchedSelectionQuery): AlertSelection {
  const filters = { ...query } as Filters;
  const window = timeWindow({
    from: query.from,
    to: query.to,
    since: filters['filter[timestamp][gte]'],
    until: filters['filter[timestamp][lte]'],
  });
  const texts = textFilters(filters, query.q);
  return {
    scope: parseScopeFilter(query),
    // When no alert can match the texts, an empty window avoids the scan.
    window: texts === null ? { ...window, toMs: window.fromMs } : window,
    values: {
      severity: selectedValues(filters, 'severity'),
      type: selectedValues(filters, 'type'),
      state: selectedValues(filters, 'state'),
    },
    texts: texts ?? [],
  };
}

/** Returns whether all alerts in scope are selected. */
export function isUnfiltered({ window, values, texts }: AlertSelection): boolean {
  return isOpen(window) && texts.length === 0 && VALUE_FIELD_NAMES.every((field) => values[field] === null);
}

/** Returns the options of a read of the selected alerts. */
export function readOptions({ scope, texts }: AlertSelection): ReadOptions {
  return { filter: scope, isSlow: texts.length > 0 };
}
