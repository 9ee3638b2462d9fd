import type { fleetTypes } from '@gpu-observatory/client';
import { queryOptions } from '@tanstack/react-query';
import { LIVE, previousOf } from '../data/live.ts';
import type { Services } from '../session/services.ts';

type Parameters = NonNullable<fleetTypes.operations['getFleetUsage']['parameters']['query']>;
export type UsageFilters = Omit<Parameters, 'api_key_id'>;
export type Usage = fleetTypes.components['schemas']['UsageModel'];
export type UsageGroup = fleetTypes.components['schemas']['UsageGroupModel'];

/** Window of the view unless its URL has another. */
export const INITIAL_WINDOW = '7d';

/** GPU-hours and energy of a window by workspace, model or host. */
export const usageQuery = ({ fleet }: Services, filters: UsageFilters) =>
  queryOptions({
    queryKey: [LIVE, 'usage', filters],
    queryFn: ({ signal }) => fleet.get('/api/v1/fleet-usage', { params: { query: filters }, signal }),
    placeholderData: previousOf(filters),
  });
