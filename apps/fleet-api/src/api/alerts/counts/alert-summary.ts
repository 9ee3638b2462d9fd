import { ALERT_STATES, SEVERITIES } from '@gpu-observatory/domain-types';
import { ALL_MEMBERS } from '../../../model/alerts/alert-count-scope.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import type { CountRow } from './alert-counts.queries.ts';

interface ValueCount {
  value: string;
  count: number;
}

export interface AlertSummary {
  severity: ValueCount[];
  type: ValueCount[];
  state: ValueCount[];
}

/**
 * Applies to each column the filters on the other two. Severities are in the order of their ranks, types and states most
 * frequent first, then by code point. See docs/fleet-api.md#alert-summary.
 */
export function alertSummary(rows: CountRow[], { values }: AlertSelection): AlertSummary {
  const { severity, state, type } = values;
  const isSevere = ([rank]: CountRow) => severity === null || severity.includes(rank);
  const isInState = ([, rank]: CountRow) => state === null || state.includes(rank);
  const isOfType = ([, , value]: CountRow) => type === null || type.includes(value);
  const severities = SEVERITIES.map((value, rank) => ({
    value,
    count: sum(rows.filter((row) => row[0] === rank && isInState(row) && isOfType(row))),
  }));
  return {
    severity: severities.filter(({ count }) => count > 0),
    type: mostFrequent(
      // Counts over all types have an empty one.
      rows.filter((row) => row[2] !== '' && isSevere(row) && isInState(row)),
      (row) => row[2],
    ),
    state: mostFrequent(
      rows.filter((row) => row[1] !== ALL_MEMBERS && isSevere(row) && isOfType(row)),
      (row) => ALERT_STATES[row[1]] as string,
    ),
  };
}

function mostFrequent(rows: CountRow[], valueOf: (row: CountRow) => string): ValueCount[] {
  return [...Map.groupBy(rows, valueOf)]
    .map(([value, ofValue]) => ({ value, count: sum(ofValue) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function sum(rows: CountRow[]): number {
  return rows.reduce((total, [, , , count]) => total + count, 0);
}
