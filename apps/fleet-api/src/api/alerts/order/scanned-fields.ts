import type { AlertSelection } from '../filters/alert-selection.ts';
import { VALUE_FIELDS, type ValueField } from '../value-fields.ts';
import { type AlertSort, isValueField } from './alert-sorts.ts';

/** Combinations of filter fields that an index starts with. A list by time scans each selected value if there are few. */
export const SCANNED_FIELDS = ['severity', 'type', 'type,severity', 'state'] as const;
export type ScannedFields = (typeof SCANNED_FIELDS)[number];

/** Maximum number of index scans, one per value. With more, one scan by time that filters rows costs less. */
const MAX_VALUE_SCANS = 5;

export const fieldsOf = (fields: ScannedFields) => fields.split(',') as ValueField[];

/** Returns the fields with one index scan per value. The scans apply the filters on these fields without skipping rows. */
export function scannedFields({ field }: AlertSort, selection: AlertSelection): readonly ValueField[] {
  if (field === 'hostname') return [];
  if (isValueField(field)) return [field];
  const scanned = scannedByTime(selection);
  return scanned === null ? [] : fieldsOf(scanned);
}

/**
 * Returns the fields to scan per value in a list by time, of which the query selects few values; null for one scan by time. The alerts
 * of an API key need one scan only, because its index skips other values (`selectedValuesOfKeySql`).
 */
export function scannedByTime({ scope, values }: AlertSelection): ScannedFields | null {
  if (scope.apiKeyId !== undefined) return null;
  const count = (field: ValueField) => values[field]?.length ?? Infinity;
  const areFew = (field: ValueField) =>
    count(field) < VALUE_FIELDS[field].stored.length && count(field) <= MAX_VALUE_SCANS;
  const isPairOfFew = count('type') * count('severity') <= MAX_VALUE_SCANS;
  if (areFew('type') && areFew('severity') && isPairOfFew) return 'type,severity';
  return (['type', 'severity', 'state'] as const).find(areFew) ?? null;
}
