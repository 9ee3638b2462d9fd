import { type AlertListItem, isUuid } from '@gpu-observatory/domain-types';
import { z } from 'zod';
import { compareCodePoints } from '../../paging/code-points.ts';
import { keyText, keyTime } from '../../paging/page-token.ts';
import { VALUE_FIELDS, type ValueField } from '../value-fields.ts';

const SORT_FIELDS = ['timestamp', 'severity', 'type', 'state', 'hostname'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** Values of the `sort` parameter, see docs/fleet-api.md#sorting. */
export const SORTS = SORT_FIELDS.flatMap((field) => [field, `-${field}`]);
export const DEFAULT_SORT = '-timestamp';

export interface AlertSort {
  field: SortField;
  descending: boolean;
}

export function parseSort(text: string): AlertSort {
  const descending = text.startsWith('-');
  return { field: text.slice(descending ? 1 : 0) as SortField, descending };
}

/** Position of a row in a sort. `value` is the stored value of the sort field; null by timestamp, or without a hostname. */
export type SortKey = [value: number | string | null, createdAtMs: number, id: string];

/** Returns the sort key of a list item. */
export function sortKeyOf(field: SortField, item: AlertListItem): SortKey {
  return [sortValueOf(field, item), Date.parse(item.created_at), item.id];
}

function sortValueOf(field: SortField, item: AlertListItem): SortKey[0] {
  if (field === 'timestamp') return null;
  return field === 'hostname' ? item.hostname : VALUE_FIELDS[field].toStored(item[field]);
}

const keyWith = (value: z.ZodType<SortKey[0]>): z.ZodType<SortKey> =>
  z.tuple([value, keyTime, z.string().refine(isUuid)]);
const keyOfValues = (field: ValueField) => keyWith(z.literal([...VALUE_FIELDS[field].stored]));

/** Schemas of the sort keys in page tokens. They are constants because creating one takes 0.1 ms, a tenth of a request. */
export const SORT_KEYS: Record<SortField, z.ZodType<SortKey>> = {
  timestamp: keyWith(z.null()),
  severity: keyOfValues('severity'),
  state: keyOfValues('state'),
  type: keyOfValues('type'),
  hostname: keyWith(keyText.nullable()),
};

/** Returns a function that compares sort keys in the order of the list. */
export function compareSortKeys({ field, descending }: AlertSort): (a: SortKey, b: SortKey) => number {
  const direction = descending ? -1 : 1;
  // Rows with equal values are sorted newest first.
  const timeDirection = field === 'timestamp' ? direction : -1;
  return ([aValue, aMs, aId], [bValue, bMs, bId]) =>
    compareValues(aValue, bValue, direction) || timeDirection * (aMs - bMs) || compareCodePoints(aId, bId);
}

/** Sorts null last in both directions. */
function compareValues(a: SortKey[0], b: SortKey[0], direction: number): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return direction * (typeof a === 'number' ? a - Number(b) : compareCodePoints(a, String(b)));
}
