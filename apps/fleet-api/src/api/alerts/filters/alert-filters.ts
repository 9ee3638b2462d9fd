import { HOSTNAME_LENGTH, NAME_LENGTH, TEXT_LENGTH } from '../../../model/text-lengths.ts';
import { VALUE_FIELDS, type ValueField } from '../value-fields.ts';

const VALUE_OPERATORS = ['in', 'notIn', 'equals', 'notEquals'] as const;
type ValueOperator = (typeof VALUE_OPERATORS)[number];

export const TEXT_FIELDS = ['hostname', 'title', 'description'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];
export const TEXT_OPERATORS = [
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'equals',
  'notEquals',
] as const;
type TextOperator = (typeof TEXT_OPERATORS)[number];

/** Text fields for which the search endpoints accept a list of values to exclude. */
const EXCLUDABLE_TEXTS = ['hostname', 'title'] as const;
export const MAX_EXCLUDED_TEXTS = 50;

const TIME_OPERATORS = ['gte', 'lte'] as const;

/** Names of the filter parameters, see docs/fleet-api.md#alert-filters. */
type FilterName =
  | `filter[${ValueField}][${ValueOperator}]`
  | `filter[${TextField}][${TextOperator}]`
  | `filter[${(typeof EXCLUDABLE_TEXTS)[number]}][notIn]`
  | `filter[timestamp][${(typeof TIME_OPERATORS)[number]}]`;

/** The filter parameters of a request. */
export type Filters = Partial<Record<FilterName, string>>;

/** Returns whether the value of the operator is a comma-separated list. */
function takesList(operator: ValueOperator): boolean {
  return operator === 'in' || operator === 'notIn';
}

/** Returns the stored values that satisfy all filters on one field; null without such a filter. */
export function selectedValues(filters: Filters, field: ValueField): (number | string)[] | null {
  const conditions = VALUE_OPERATORS.flatMap((operator) => {
    const text = filters[`filter[${field}][${operator}]`];
    if (text === undefined) return [];
    const isNegated = operator === 'notIn' || operator === 'notEquals';
    return [{ isNegated, listed: takesList(operator) ? text.split(',') : [text] }];
  });
  if (conditions.length === 0) return null;
  const { values, toStored } = VALUE_FIELDS[field];
  const isSelected = (value: string) =>
    conditions.every(({ isNegated, listed }) => listed.includes(value) !== isNegated);
  return values.filter(isSelected).map(toStored);
}

/** Parses a comma-separated list of texts, in which `\` escapes a comma and `\`. */
export function listedTexts(list: string): string[] {
  if (list === '') return [];
  const texts = [''];
  for (const [part, escaped = part] of list.matchAll(/\\(.)|./gsu)) {
    if (part === ',') texts.push('');
    else texts[texts.length - 1] += escaped;
  }
  return texts;
}

/** A comparison that at least one of the fields must satisfy. */
export interface TextFilter {
  fields: readonly TextField[];
  operator: TextOperator;
  value: string;
}

/** Maximum length of each field in lower case, in code points. `İ` becomes two, so a text may double its length. */
const MAX_LENGTHS: Record<TextField, number> = {
  hostname: 2 * HOSTNAME_LENGTH,
  title: 2 * NAME_LENGTH,
  description: 2 * TEXT_LENGTH,
};

/**
 * Returns the text filters of a request, without those that every alert satisfies.
 *
 * @param search text that at least one of the fields must contain
 * @returns null when no alert can match
 */
export function textFilters(filters: Filters, search?: string): TextFilter[] | null {
  const fieldFilters = TEXT_FIELDS.flatMap((field) =>
    TEXT_OPERATORS.flatMap((operator): TextFilter[] => {
      const value = filters[`filter[${field}][${operator}]`];
      return value === undefined ? [] : [{ fields: [field], operator, value }];
    }),
  );
  const excluded = EXCLUDABLE_TEXTS.flatMap((field) => {
    const texts = listedTexts(filters[`filter[${field}][notIn]`] ?? '');
    return texts.map((value): TextFilter => ({ fields: [field], operator: 'notEquals', value }));
  });
  const searchFilters: TextFilter[] =
    search === undefined ? [] : [{ fields: TEXT_FIELDS, operator: 'contains', value: search }];
  const all = [...fieldFilters, ...excluded, ...searchFilters];
  // No text contains or equals a value that is too long: a negated filter matches every alert, another one matches none.
  const tooLong = all.filter(isTooLong);
  const isImpossible = tooLong.some(({ operator }) => operator !== 'notContains' && operator !== 'notEquals');
  return isImpossible ? null : all.filter((filter) => !tooLong.includes(filter));
}

/** Returns whether the value is longer than every text of the fields. */
function isTooLong({ fields, value }: TextFilter): boolean {
  return [...value.toLowerCase()].length > Math.max(...fields.map((field) => MAX_LENGTHS[field]));
}
