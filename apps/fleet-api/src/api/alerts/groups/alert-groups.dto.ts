import { OneOf, PageSize } from '../../query-parameters/parameters.ts';
import { AlertSelectionQuery, ExcludedTexts, SearchText } from '../filters/alert-selection.dto.ts';

export const GROUPINGS = ['host', 'workspace', 'gpu', 'day', 'hour', 'type', 'severity', 'state'] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const DEFAULT_GROUPING: Grouping = 'host';

/** The query parameters of `GET /alerts:groups`, see docs/fleet-api.md#alert-groups. */
@ExcludedTexts()
export class AlertGroupsQuery extends AlertSelectionQuery {
  @OneOf(GROUPINGS, { default: DEFAULT_GROUPING, description: 'Days and hours are in UTC.' })
  group_by?: Grouping;

  @SearchText()
  q?: string;

  @PageSize('groups')
  page_size?: string;
}
