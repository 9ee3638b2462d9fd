import type { fleetTypes } from '@gpu-observatory/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { LIVE, previousOf, type Scope } from '../data/live.ts';
import type { Services } from '../session/services.ts';

type Schemas = fleetTypes.components['schemas'];
type Parameters = NonNullable<fleetTypes.operations['listXidIncidents']['parameters']['query']>;
export type XidIncident = Schemas['XidIncidentModel'];
export type XidGroup = Schemas['XidIncidentGroupModel'];
export type XidFilters = Scope & Pick<Parameters, 'from' | 'to' | 'code' | 'hostname' | 'gpu_id'>;

/** Most incidents or groups of one response. */
export const MAX_XIDS = 1_000;
const PAGE_SIZE = 50;

/** Incidents counted by code, host or UTC day, the largest group first. */
export const xidGroupsQuery = ({ fleet }: Services, group_by: 'code' | 'host' | 'day', filters: XidFilters) =>
  queryOptions({
    queryKey: [LIVE, 'xid-groups', filters, group_by],
    queryFn: async ({ signal }) => {
      const query = { ...filters, group_by, page_size: MAX_XIDS };
      const { groups = [] } = await fleet.get('/api/v1/xid-incidents', { params: { query }, signal });
      return groups;
    },
    placeholderData: previousOf(filters),
  });

/** The newest incidents, at most `MAX_XIDS`, and whether these are all. */
export const newestXidsQuery = ({ fleet }: Services, filters: XidFilters) =>
  queryOptions({
    queryKey: [LIVE, 'newest-xids', filters],
    queryFn: async ({ signal }) => {
      const query = { ...filters, page_size: MAX_XIDS };
      const { incidents = [], next_page_token } = await fleet.get('/api/v1/xid-incidents', {
        params: { query },
        signal,
      });
      return { incidents, isComplete: next_page_token === undefined };
    },
    placeholderData: previousOf(filters),
  });

/** The incidents page by page, the newest first. */
export const xidPagesQuery = ({ fleet }: Services, filters: XidFilters) =>
  infiniteQueryOptions({
    queryKey: [LIVE, 'xid-pages', filters],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filters, page_size: PAGE_SIZE, ...(pageParam && { page_token: pageParam }) };
      return fleet.get('/api/v1/xid-incidents', { params: { query }, signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next_page_token }) => next_page_token,
    placeholderData: previousOf(filters),
  });
