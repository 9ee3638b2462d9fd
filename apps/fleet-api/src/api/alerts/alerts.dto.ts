import { OneOf, PageToken, PositiveInteger } from '../query-parameters/parameters.ts';
import { DEFAULT_SORT, SORTS } from './order/alert-sorts.ts';
import { AlertSelectionQuery, ExcludedTexts, SearchText } from './filters/alert-selection.dto.ts';

export const DEFAULT_ALERT_PAGE_SIZE = 1_000;
const MAX_PAGE_SIZE = 10_000;

/** The query parameters of `GET /alerts/`, see docs/fleet-api.md#list-alerts. */
export class AlertsQuery extends AlertSelectionQuery {
  @OneOf(SORTS, {
    default: DEFAULT_SORT,
    description:
      'A leading - sorts descending; ascending severity starts with critical. Equal values are sorted newest first, then by id; alerts without a hostname come last.',
  })
  sort?: string;

  @PositiveInteger({
    max: MAX_PAGE_SIZE,
    default: DEFAULT_ALERT_PAGE_SIZE,
    description: 'Maximum number of alerts per page.',
  })
  page_size?: string;

  @PageToken()
  page_token?: string;
}

/** The query parameters of `GET /alerts:search`, see docs/fleet-api.md#search-alerts. */
export class AlertSearchQuery extends AlertsQuery {
  @SearchText()
  q?: string;

  @ExcludedTexts('hostname') 'filter[hostname][notIn]'?: string;
  @ExcludedTexts('title') 'filter[title][notIn]'?: string;
}
