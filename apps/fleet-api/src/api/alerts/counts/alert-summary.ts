import { ALERT_STATES, SEVERITIES } from '@gpu-observatory/domain-types';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { ValueField } from '../value-fields.ts';
import type { AlertCount } from './alert-counts.queries.ts';

interface ValueCount {
  value: string;
  count: number;
}

export type AlertSummary = Record<ValueField, ValueCount[]>;

/**
 * Applies to each column the filters on the other two. Severities are in the order of their ranks, types and states most
 * frequent first, then by code point. See docs/fleet-api.md#alert-summary.
 */
export function alertSummary(counts: readonly AlertCount[], { values }: AlertSelection): AlertSummary {
  const isSelected = (count: AlertCount, field: ValueField) => {
    const value = count[field];
    return values[field] === null || (value !== null && values[field].includes(value));
  };
  const selectedBy = (...fields: ValueField[]) =>
    counts.filter((count) => fields.every((field) => isSelected(count, field)));
  const bySeverity = Map.groupBy(selectedBy('type', 'state'), ({ severity }) => severity);
  return {
    severity: SEVERITIES.map((value, rank) => ({ value, count: sum(bySeverity.get(rank) ?? []) })).filter(
      ({ count }) => count > 0,
    ),
    type: mostFrequent(selectedBy('severity', 'state'), ({ type }) => type),
    state: mostFrequent(selectedBy('severity', 'type'), ({ state }) =>
      state === null ? null : (ALERT_STATES[state] ?? null),
    ),
  };
}

/** @param valueOf returns null for a count of any value */
function mostFrequent(
  counts: readonly AlertCount[],
  valueOf: (count: AlertCount) => string | null,
): ValueCount[] {
  return [...Map.groupBy(counts, valueOf)]
    .flatMap(([value, ofValue]) => (value === null ? [] : [{ value, count: sum(ofValue) }]))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function sum(counts: readonly AlertCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
