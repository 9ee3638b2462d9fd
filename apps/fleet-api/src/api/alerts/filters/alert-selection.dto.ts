import { ListOf, NonEmptyText, OneOf, TextList, Timestamp } from '../../query-parameters/parameters.ts';
import { ScopeQuery } from '../../query-parameters/scope-filter.ts';
import { VALUE_FIELD_NAMES, VALUE_FIELDS } from '../value-fields.ts';
import {
  EXCLUDABLE_TEXTS,
  type FilterName,
  listedTexts,
  MAX_EXCLUDED_TEXTS,
  takesList,
  TEXT_FIELDS,
  TEXT_OPERATORS,
  TIME_OPERATORS,
  VALUE_OPERATORS,
} from './alert-filters.ts';

/**
 * The query parameters that select alerts: scope, window and 32 filters such as `filter[severity][in]`. The filters are declared at the
 * end of this file. See docs/fleet-api.md#alert-filters.
 */
export class AlertSelectionQuery extends ScopeQuery {
  @Timestamp({ description: 'Start of the window, inclusive.' })
  from?: string;

  @Timestamp({ description: 'End of the window, exclusive.' })
  to?: string;
}

/** Declares the parameter `q`, the text of a search. Only some endpoints accept it. */
export function SearchText(): PropertyDecorator {
  return NonEmptyText({
    minLength: 1,
    description: 'Only alerts whose hostname, title or description contains this text. Case-insensitive.',
  });
}

/** Declares the parameters that exclude several hosts or titles. Only some endpoints accept them. */
export function ExcludedTexts(): ClassDecorator {
  return ({ prototype }) => {
    for (const field of EXCLUDABLE_TEXTS) {
      const description = `Comma-separated list; \\ precedes a comma or \\ of a ${field}. Case-insensitive.`;
      const texts = TextList(MAX_EXCLUDED_TEXTS, { minLength: 1, description }, listedTexts);
      declare(prototype, `filter[${field}][notIn]`, texts);
    }
  };
}

/** Declares a filter parameter by its name, a combination of a field and an operator. */
function declare(query: object, name: FilterName, decorate: PropertyDecorator): void {
  decorate(query, name);
}

const { prototype } = AlertSelectionQuery;

for (const field of VALUE_FIELD_NAMES) {
  for (const operator of VALUE_OPERATORS) {
    const { values } = VALUE_FIELDS[field];
    declare(prototype, `filter[${field}][${operator}]`, takesList(operator) ? ListOf(values) : OneOf(values));
  }
}
for (const field of TEXT_FIELDS) {
  for (const operator of TEXT_OPERATORS) {
    const text = NonEmptyText({ minLength: 1, description: 'Case-insensitive.' });
    declare(prototype, `filter[${field}][${operator}]`, text);
  }
}
for (const operator of TIME_OPERATORS)
  declare(prototype, `filter[timestamp][${operator}]`, Timestamp({ description: 'Inclusive.' }));
