import { OneOf, PageSize } from '../../query-parameters/parameters.ts';
import { AlertSelectionQuery, ExcludedTexts, SearchText } from '../filters/alert-selection.dto.ts';

const GROUPINGS = ['host', 'workspace', 'gpu', 'day', 'hour', 'type', 'severity', 'state'] as const;
export type AlertGrouping = (typeof GROUPINGS)[number];
export const DEFAULT_ALERT_GROUPING: AlertGrouping = 'host';

/** The query parameters of `GET /alerts:groups`, see docs/fleet-api.md#alert-groups. */
export class AlertGroupsQuery extends AlertSelectionQuery {
  @OneOf(GROUPINGS, { default: DEFAULT_ALERT_GROUPING, description: 'Days and hours are in UTC.' })
  group_by?: AlertGrouping;

  @SearchText()
  q?: string;

  @PageSize('groups')
  page_size?: string;

  @ExcludedTexts('hostname') 'filter[hostname][notIn]'?: string;
  @ExcludedTexts('title') 'filter[title][notIn]'?: string;
}
