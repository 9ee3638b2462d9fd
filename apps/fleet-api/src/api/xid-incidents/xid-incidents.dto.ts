import {
  NonEmptyText,
  OneOf,
  PageSize,
  PageToken,
  PositiveIntegers,
  Timestamp,
  Uuid,
} from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope-filter.ts';

const GROUPINGS = ['code', 'host', 'day'] as const;
export type XidGrouping = (typeof GROUPINGS)[number];
const MAX_CODES = 50;

/** The query parameters of `GET /xid-incidents`, see docs/fleet-api.md#list-xid-incidents. */
export class XidIncidentsQuery extends ScopeQuery {
  @Timestamp({ description: 'Start of the window; default 7 days ago.' })
  from?: string;

  @Timestamp({ description: 'End of the window, exclusive; default now.' })
  to?: string;

  @PositiveIntegers(MAX_CODES, {
    description: `Up to ${MAX_CODES} XIDs, separated by commas.`,
    example: '48,79',
  })
  code?: string;

  @NonEmptyText({ description: 'Only incidents of the GPUs on this host.' })
  hostname?: string;

  @NonEmptyText({ description: 'Only incidents of this GPU.' })
  gpu_id?: string;

  @Uuid({ description: 'Only the incident of this alert; without from at any time.' })
  alert_id?: string;

  @OneOf(GROUPINGS, {
    description: 'Counts of incidents by code, host or UTC day, in place of the incidents.',
  })
  group_by?: XidGrouping;

  @PageSize('incidents or groups')
  page_size?: string;

  @PageToken()
  page_token?: string;
}
