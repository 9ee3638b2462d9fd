import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import { ListOf, NonEmptyText, OneOf, TextList, Timestamp } from '../../query-parameters/parameters.ts';
import { ScopeQuery } from '../../query-parameters/scope-filter.ts';
import { type Filters, listedTexts, MAX_EXCLUDED_TEXTS, type TextField } from './alert-filters.ts';

/** The query parameters that select alerts: scope, window and filters. See docs/fleet-api.md#alert-filters. */
export class AlertSelectionQuery extends ScopeQuery implements Filters {
  @Timestamp({ description: 'Start of the window, inclusive.' })
  from?: string;

  @Timestamp({ description: 'End of the window, exclusive.' })
  to?: string;

  @ListOf(SEVERITIES) 'filter[severity][in]'?: string;
  @ListOf(SEVERITIES) 'filter[severity][notIn]'?: string;
  @OneOf(SEVERITIES) 'filter[severity][equals]'?: string;
  @OneOf(SEVERITIES) 'filter[severity][notEquals]'?: string;

  @ListOf(ALERT_TYPES) 'filter[type][in]'?: string;
  @ListOf(ALERT_TYPES) 'filter[type][notIn]'?: string;
  @OneOf(ALERT_TYPES) 'filter[type][equals]'?: string;
  @OneOf(ALERT_TYPES) 'filter[type][notEquals]'?: string;

  @ListOf(ALERT_STATES) 'filter[state][in]'?: string;
  @ListOf(ALERT_STATES) 'filter[state][notIn]'?: string;
  @OneOf(ALERT_STATES) 'filter[state][equals]'?: string;
  @OneOf(ALERT_STATES) 'filter[state][notEquals]'?: string;

  @FilteredText() 'filter[hostname][contains]'?: string;
  @FilteredText() 'filter[hostname][notContains]'?: string;
  @FilteredText() 'filter[hostname][startsWith]'?: string;
  @FilteredText() 'filter[hostname][endsWith]'?: string;
  @FilteredText() 'filter[hostname][equals]'?: string;
  @FilteredText() 'filter[hostname][notEquals]'?: string;

  @FilteredText() 'filter[title][contains]'?: string;
  @FilteredText() 'filter[title][notContains]'?: string;
  @FilteredText() 'filter[title][startsWith]'?: string;
  @FilteredText() 'filter[title][endsWith]'?: string;
  @FilteredText() 'filter[title][equals]'?: string;
  @FilteredText() 'filter[title][notEquals]'?: string;

  @FilteredText() 'filter[description][contains]'?: string;
  @FilteredText() 'filter[description][notContains]'?: string;
  @FilteredText() 'filter[description][startsWith]'?: string;
  @FilteredText() 'filter[description][endsWith]'?: string;
  @FilteredText() 'filter[description][equals]'?: string;
  @FilteredText() 'filter[description][notEquals]'?: string;

  @Timestamp({ description: 'Inclusive.' }) 'filter[timestamp][gte]'?: string;
  @Timestamp({ description: 'Inclusive.' }) 'filter[timestamp][lte]'?: string;
}

/** The value of a text filter. */
function FilteredText(): PropertyDecorator {
  return NonEmptyText({ minLength: 1, description: 'Case-insensitive.' });
}

/** The parameter `q`, the text of a search. Only some endpoints accept it. */
export function SearchText(): PropertyDecorator {
  return NonEmptyText({
    minLength: 1,
    description: 'Only alerts whose hostname, title or description contains this text. Case-insensitive.',
  });
}

/** A parameter that excludes several hosts or titles. Only some endpoints accept it. */
export function ExcludedTexts(field: TextField): PropertyDecorator {
  const description = `Comma-separated list; \\ precedes a comma or \\ of a ${field}. Case-insensitive.`;
  return TextList(MAX_EXCLUDED_TEXTS, { minLength: 1, description }, listedTexts);
}
