import type { FleetClient, fleetTypes } from '@gpu-observatory/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Services } from '../session/services.ts';
import { LIVE, previousOf, type Scope } from './live.ts';
import type { GpuStatus, TimeWindow } from './queries.ts';

type Operations = fleetTypes.operations;
type HostParameters = NonNullable<Operations['listHosts']['parameters']['query']>;
type StatusParameters = NonNullable<Operations['listGpuStatus']['parameters']['query']>;
export type Host = fleetTypes.components['schemas']['HostModel'];
export type HostDetail = fleetTypes.components['schemas']['HostDetailModel'];
export type HostGpu = HostDetail['gpus'][number];
export type HostFilters = Omit<HostParameters, 'page_size' | 'page_token' | 'api_key_id'>;
export type StatusFilters = Omit<StatusParameters, 'page_size' | 'page_token' | 'api_key_id'>;

const HOST_PAGE_SIZE = 100;
/** The largest page of the service. */
const STATUS_PAGE_SIZE = 1_000;

/** Hosts page by page, by default the worst first. */
export const hostPagesQuery = ({ fleet }: Services, filters: HostFilters) =>
  infiniteQueryOptions({
    queryKey: [LIVE, 'hosts', filters],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filters, page_size: HOST_PAGE_SIZE, ...(pageParam && { page_token: pageParam }) };
      return fleet.get('/api/v1/hosts', { params: { query }, signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next_page_token }) => next_page_token,
    placeholderData: previousOf(filters),
  });

export const hostQuery = (
  { fleet }: Services,
  hostname: string,
  { customer_id }: Scope,
  window: TimeWindow = {},
) =>
  queryOptions({
    queryKey: [LIVE, 'host', { customer_id, hostname }, window],
    queryFn: ({ signal }) => {
      const query = { ...window, ...(customer_id && { customer_id }) };
      return fleet.get('/api/v1/hosts/{hostname}', { params: { path: { hostname }, query }, signal });
    },
    placeholderData: (data, query) =>
      JSON.stringify(query?.queryKey[2]) === JSON.stringify({ customer_id, hostname }) ? data : undefined,
  });

/** Every GPU with a health that is not healthy, the most urgent first, with the first reason for it. */
export const unhealthyQuery = ({ fleet }: Services, scope: Scope) =>
  queryOptions({
    queryKey: [LIVE, 'unhealthy', scope],
    queryFn: ({ signal }) => everyStatus(fleet, { ...scope, health: 'critical,missing,degraded' }, signal),
  });

/** GPUs that were idle in a window, the least utilized first, and whether these are all. */
export const idleQuery = ({ fleet }: Services, filters: StatusFilters) =>
  queryOptions({
    queryKey: [LIVE, 'idle', filters],
    queryFn: async ({ signal }) => {
      const query = { ...filters, idle: 'true', sort: 'idle', page_size: STATUS_PAGE_SIZE } as const;
      const { gpus, next_page_token } = await fleet.get('/api/v1/gpu-status', { params: { query }, signal });
      return { gpus, isComplete: next_page_token === undefined };
    },
    placeholderData: previousOf(filters),
  });

/** All readings and jobs of one GPU in a window. */
export const gpuHistoryQuery = ({ fleet }: Services, id: string, window: TimeWindow) =>
  queryOptions({
    queryKey: [LIVE, 'gpu-history', id, window],
    queryFn: ({ signal }) =>
      fleet.get('/api/v1/gpu-history/{id}', { params: { path: { id }, query: window }, signal }),
    placeholderData: (data, query) => (query?.queryKey[2] === id ? data : undefined),
  });

/** The newest alerts whose title, description or host contains a text. */
export const alertSearchQuery = ({ fleet }: Services, scope: Scope, q: string, page_size: number) =>
  queryOptions({
    queryKey: [LIVE, 'alert-search', scope, q, page_size],
    queryFn: ({ signal }) =>
      fleet.get('/api/v1/alerts:search', { params: { query: { ...scope, q, page_size } }, signal }),
  });

async function everyStatus(
  fleet: FleetClient,
  filters: StatusFilters,
  signal: AbortSignal,
): Promise<GpuStatus[]> {
  const all: GpuStatus[] = [];
  let token: string | undefined;
  do {
    const query = { ...filters, page_size: STATUS_PAGE_SIZE, ...(token && { page_token: token }) };
    const page = await fleet.get('/api/v1/gpu-status', { params: { query }, signal });
    all.push(...page.gpus);
    token = page.next_page_token;
  } while (token !== undefined);
  return all;
}
