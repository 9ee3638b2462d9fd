import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';

/** A column with few values, by which alerts are filtered, sorted, grouped and counted. */
interface FieldOfValues {
  /** Values in the API. */
  values: readonly string[];
  /** Values in the database, in sort order. */
  stored: readonly (number | string)[];
  toStored(value: string): number | string;
  sqlType: 'smallint' | 'text';
}

/** Returns a field whose values are stored as their rank in the list, so that an index of the database sorts in this order. */
const ranked = (values: readonly string[]): FieldOfValues => ({
  values,
  stored: [...values.keys()],
  toStored: (value) => values.indexOf(value),
  sqlType: 'smallint',
});

export type ValueField = 'severity' | 'type' | 'state';
export const VALUE_FIELDS: Record<ValueField, FieldOfValues> = {
  severity: ranked(SEVERITIES),
  // Stored as text, which the database sorts by code point.
  type: { values: ALERT_TYPES, stored: [...ALERT_TYPES].sort(), toStored: (type) => type, sqlType: 'text' },
  state: ranked(ALERT_STATES),
};
export const VALUE_FIELD_NAMES = Object.keys(VALUE_FIELDS) as ValueField[];

/** Stored values that the filters select; null without a filter. Statements have the parameters `:severity`, `:type` and `:state`. */
export type SelectedValues = Record<ValueField, readonly (number | string)[] | null>;
export const ANY_VALUES: SelectedValues = { severity: null, type: null, state: null };
