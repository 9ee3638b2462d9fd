import { parseTimestamp } from '@gpu-observatory/domain-types';
import type { TimeWindow } from '../../../model/time-window.ts';
import type { ScopeFilter } from '../../access/access-scope.ts';
import type { ReadOptions } from '../../access/tenant-database.ts';
import { requestedTimes } from '../../query-parameters/requested-window.ts';
import { parseScopeFilter } from '../../query-parameters/scope-filter.ts';
import { type SelectedValues, VALUE_FIELD_NAMES } from '../value-fields.ts';
import { type Filters, selectedValues, textFilters } from './alert-filters.ts';
import { type TextConditions, textConditions } from './alert-predicate.ts';
import type { AlertSelectionQuery } from './alert-selection.dto.ts';

/** The filters of a request for alerts. They have the same meaning for list, total, summary, trend and groups. */
export interface AlertSelection {
  scope: ScopeFilter;
  window: SelectedWindow;
  values: SelectedValues;
  /** Null without text filters. */
  texts: TextConditions | null;
}

/** The window of a query, with whether the query sets each bound. An open end is `BEGIN_MS` or `END_MS`. */
interface SelectedWindow extends TimeWindow {
  hasFrom: boolean;
  hasTo: boolean;
}

/** A query that may include the text of a search. */
type SearchedSelectionQuery = AlertSelectionQuery & { q?: string };

/** Bounds of an open window: no alert is outside of them, and both are month boundaries. */
const BEGIN_MS = 0;
const END_MS = Date.UTC(9999, 11, 1);

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
  const window = timeWindow(query, filters);
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
    texts: texts === null || texts.length === 0 ? null : textConditions(texts),
  };
}

/**
 * Returns the intersection of the window `from`/`to` and of `filter[timestamp]`, whose bounds are inclusive. It may be empty.
 *
 * @throws {DomainError} `invalid_query` when `from` is later than `to`; equal is an empty window
 */
function timeWindow({ from, to }: AlertSelectionQuery, filters: Filters): SelectedWindow {
  const since = filters['filter[timestamp][gte]'];
  const until = filters['filter[timestamp][lte]'];
  // Alerts have whole milliseconds, so a bound between two milliseconds is equivalent to the next one.
  const requested = requestedTimes({ from, to }, 'up');
  const sinceMs = parseTimestamp(since ?? '', 'up')?.getTime() ?? BEGIN_MS;
  const untilMs = parseTimestamp(until ?? '')?.getTime() ?? END_MS;
  const fromMs = clamp(Math.max(requested.fromMs ?? BEGIN_MS, sinceMs));
  // The inclusive bound becomes an exclusive one.
  const toMs = clamp(Math.min(requested.toMs ?? END_MS, untilMs + 1));
  return {
    fromMs,
    toMs: Math.max(fromMs, toMs),
    hasFrom: (from ?? since) !== undefined,
    hasTo: (to ?? until) !== undefined,
  };
}

function clamp(ms: number): number {
  return Math.min(Math.max(ms, BEGIN_MS), END_MS);
}

/** Returns whether no alert is outside of the window. */
export function isOpen({ fromMs, toMs }: TimeWindow): boolean {
  return fromMs === BEGIN_MS && toMs === END_MS;
}

/** Returns whether all alerts in scope are selected. */
export function isUnfiltered({ window, values, texts }: AlertSelection): boolean {
  return isOpen(window) && texts === null && VALUE_FIELD_NAMES.every((field) => values[field] === null);
}

/** Returns the options of a read of the selected alerts. */
export function readOptions({ scope, texts }: AlertSelection): ReadOptions {
  return { filter: scope, isSlow: texts !== null };
}

/** Parameters of statements: the window and the filters. Those of text filters (`TextConditions`) have names of their own. */
export interface SelectionParameters extends SelectedValues {
  from: Date;
  to: Date;
}

/** The predicate of the window, `from` and `to`, on the rows `a` of alerts or past states. */
export const IN_WINDOW = 'a.created_at >= :from::timestamptz AND a.created_at < :to::timestamptz';

/** Returns the parameters of the window and the filters, including text filters. */
export function selectionParameters({ window, values, texts }: AlertSelection): SelectionParameters {
  return {
    from: new Date(window.fromMs),
    to: new Date(window.toMs),
    ...values,
    ...texts?.parameters,
  };
}
