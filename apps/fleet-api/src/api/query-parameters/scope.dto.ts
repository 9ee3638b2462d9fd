import { PositiveInteger } from './parameters.ts';

/** Filters that narrow the caller's access, see docs/fleet-api.md#scope-filters. */
export class ScopeQuery {
  @PositiveInteger({ description: 'Only rows of this customer.' })
  customer_id?: string;

  @PositiveInteger({ description: 'Only rows of this workspace.' })
  workspace_id?: string;

  @PositiveInteger({ description: 'Only rows that this API key sent.' })
  api_key_id?: string;
}
