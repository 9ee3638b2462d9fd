import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';

/** A column of alerts with few values, by which they are filtered, sorted, grouped and counted. */
interface FieldOfValues {
  /** Values in the API. */
  values: readonly string[];
  /** Values in the database, in sort order. */
  stored: readonly (number | string)[];
  toStored(value: string): number | string;
  sqlType: 'smallint' | 'text';
}

/** Stored as the index in the list, so that an index of the database sorts in its order. */
const ranked = (values: readonly string[]): FieldOfValues => ({
  values,
  stored: [...values.keys()],
  toStored: (value) => values.indexOf(value),
  sqlType: 'smallint',
});

export type ValueField = 'severity' | 'type' | 'state';
export const VALUE_FIELDS: Record<ValueField, FieldOfValues> = {
  severity: ranked(SEVERITIES),
  // Sorted by code point.
  type: { values: ALERT_TYPES, stored: [...ALERT_TYPES].sort(), toStored: (type) => type, sqlType: 'text' },
  state: ranked(ALERT_STATES),
};
export const VALUE_FIELD_NAMES = Object.keys(VALUE_FIELDS) as ValueField[];

/** The stored values that filters select; null without a filter. They are the parameters `:severity`, `:type` and `:state`. */
export type SelectedValues = Record<ValueField, readonly (number | string)[] | null>;
export const ANY_VALUES: SelectedValues = { severity: null, type: null, state: null };
