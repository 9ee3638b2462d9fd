import { ALERT_STATES, SEVERITIES } from '@gpu-observatory/domain-types';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { ValueField } from '../value-fields.ts';
import type { CountRows } from './alert-counts.statements.ts';

type AlertCount = Record<'severity' | 'state', number | null> & { type: string | null; count: number };

interface ValueCount {
  value: string;
  count: number;
}

type AlertSummary = Record<ValueField, ValueCount[]>;

/**
 * Returns facet counts: for each column, the counts with the filters on the other two columns. Severities are in the order of their
 * ranks, types and states most frequent first, then by code point. See docs/fleet-api.md#alert-summary.
 */
export function alertSummary(
  rows: readonly CountRows['summary'][],
  { values }: AlertSelection,
): AlertSummary {
  const counts = rows.map(([severity, state, type, count]): AlertCount => ({ severity, state, type, count }));
  const isSelected = (count: AlertCount, field: ValueField) => {
    const value = count[field];
    // A count of any value (null) cannot be filtered by this column.
    return values[field] === null || (value !== null && values[field].includes(value));
  };
  const countsMatching = (...fields: ValueField[]) =>
    counts.filter((count) => fields.every((field) => isSelected(count, field)));
  const bySeverity = Map.groupBy(countsMatching('type', 'state'), ({ severity }) => severity);
  return {
    severity: SEVERITIES.map((value, rank) => ({ value, count: sum(bySeverity.get(rank) ?? []) })).filter(
      ({ count }) => count > 0,
    ),
    type: mostFrequent(countsMatching('severity', 'state'), ({ type }) => type),
    state: mostFrequent(countsMatching('severity', 'type'), ({ state }) =>
      state === null ? null : (ALERT_STATES[state] ?? null),
    ),
  };
}

/** Returns the counts by value, most frequent first. @param valueOf returns null for a count that is not by this column */
function mostFrequent(
  counts: readonly AlertCount[],
  valueOf: (count: AlertCount) => string | null,
): ValueCount[] {
  return [...Map.groupBy(counts, valueOf)]
    .flatMap(([value, group]) => (value === null ? [] : [{ value, count: sum(group) }]))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function sum(counts: readonly AlertCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
