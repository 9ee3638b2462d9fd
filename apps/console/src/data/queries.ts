import type { accountTypes, fleetTypes } from '@gpu-observatory/client';
import { queryOptions } from '@tanstack/react-query';
import type { Services } from '../session/services.ts';
import {
  type AlertFilters,
  type AlertSummary,
  isSearch,
  searchSummary,
  searchTrend,
} from './alert-groups.ts';
import { MINUTE_MS } from './durations.ts';
import { LIVE, previousOf, type Scope } from './live.ts';

export type { AlertFilters } from './alert-groups.ts';
export { LIVE, type Scope } from './live.ts';

type Schemas = fleetTypes.components['schemas'];
export type Severity = Schemas['AlertModel']['severity'];
export type AlertType = Schemas['AlertModel']['type'];
export type AlertState = Schemas['AlertModel']['state'];
export type AlertItem = Schemas['AlertModel'];
export type AlertDetail = Schemas['AlertDetailModel'];
export type TimelineEvent = Schemas['TimelineEventModel'];
export type Gpu = Schemas['GpuModel'];
export type GpuDetail = Schemas['GpuDetailModel'];
export type Health = Gpu['health'];
/** A GPU with its newest readings, and the first reason for its health. */
export type GpuStatus = Schemas['GpuStatusModel'];
/** Why a GPU has its health, since when, and what to do. */
export type Reason = Schemas['ReasonModel'];
/** A process or workload of a GPU, now or before. */
export type Job = Schemas['JobModel'];
export type GpuHistory = Schemas['GpuHistoryModel'];
export type TrendPoint = Schemas['SeverityTrendPoint'];
export type FleetMetrics = Schemas['FleetMetricsModel'];

type AccountSchemas = accountTypes.components['schemas'];
export type ApiKey = AccountSchemas['ApiKeyResponse'];
export type KeyScopes = AccountSchemas['KeyScopesResponse'];
export type UserSession = AccountSchemas['SessionResponse'];
export type Workspace = AccountSchemas['WorkspaceResponse'];

/** A time window, RFC 3339; `from` is inclusive, `to` exclusive. */
export interface TimeWindow {
  from?: string;
  to?: string;
}

/** First element of the key of the query that polls the data version. */
export const PULSE = 'pulse';
/** First element of the key of a list of alerts, which is a snapshot. */
export const ALERT_PAGES = 'alert-pages';

export const meQuery = ({ account }: Services) =>
  queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => account.get('/api/v1/me', { signal }),
    staleTime: Infinity,
  });

export const methodsQuery = ({ account }: Services) =>
  queryOptions({
    queryKey: ['methods'],
    queryFn: ({ signal }) => account.get('/api/v1/auth/methods', { signal }),
    staleTime: Infinity,
  });

export const workspacesQuery = ({ account }: Services) =>
  queryOptions({
    queryKey: ['workspaces'],
    queryFn: ({ signal }) => account.get('/api/v1/workspaces', { signal }),
    staleTime: MINUTE_MS,
  });

export const keysQuery = ({ account }: Services) =>
  queryOptions({
    queryKey: ['keys'],
    queryFn: ({ signal }) => account.get('/api/v1/keys', { signal }),
  });

export const keyScopesQuery = ({ account }: Services, keyId: number) =>
  queryOptions({
    queryKey: ['key-scopes', keyId],
    queryFn: ({ signal }) =>
      account.get('/api/v1/keys/{key_id}/scopes', { params: { path: { key_id: keyId } }, signal }),
  });

export const sessionsQuery = ({ account }: Services) =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => account.get('/api/v1/sessions', { signal }),
  });

export const gpusQuery = ({ fleet }: Services, scope: Scope, window: TimeWindow = {}) =>
  queryOptions({
    queryKey: [LIVE, 'gpus', scope, window],
    queryFn: ({ signal }) =>
      fleet.get('/api/v1/gpus', { params: { query: { view: 'basic', ...scope, ...window } }, signal }),
    placeholderData: previousOf(scope),
  });

export const gpuQuery = ({ fleet }: Services, id: string) =>
  queryOptions({
    queryKey: [LIVE, 'gpu', id],
    queryFn: ({ signal }) => fleet.get('/api/v1/gpus/{id}', { params: { path: { id } }, signal }),
    // Rules end and the last 24 hours move with time alone.
    refetchInterval: MINUTE_MS,
  });

export const metricsQuery = ({ fleet }: Services, scope: Scope, window: TimeWindow = {}) =>
  queryOptions({
    queryKey: [LIVE, 'metrics', scope, window],
    queryFn: ({ signal }) =>
      fleet.get('/api/v1/metrics', { params: { query: { ...scope, ...window } }, signal }),
    placeholderData: previousOf(scope),
  });

/** Returns the path of the list of alerts: only that of a search accepts its filters. */
export function alertListPath(filters: AlertFilters) {
  return isSearch(filters) ? '/api/v1/alerts:search' : '/api/v1/alerts';
}

export const summaryQuery = ({ fleet }: Services, filters: AlertFilters) =>
  queryOptions({
    queryKey: [LIVE, 'summary', filters],
    queryFn: async ({ signal }): Promise<AlertSummary> =>
      isSearch(filters)
        ? await searchSummary(fleet, filters, signal)
        : await fleet.get('/api/v1/alerts:summary', { params: { query: filters }, signal }),
    placeholderData: previousOf(filters),
  });

export const trendQuery = ({ fleet }: Services, filters: AlertFilters) =>
  queryOptions({
    queryKey: [LIVE, 'trend', filters],
    queryFn: async ({ signal }): Promise<{ points: TrendPoint[] }> =>
      isSearch(filters)
        ? await searchTrend(fleet, filters, signal)
        : await fleet.get('/api/v1/alerts:severityTrend', { params: { query: filters }, signal }),
    placeholderData: previousOf(filters),
  });

export const newestAlertsQuery = ({ fleet }: Services, filters: AlertFilters, page_size: number) =>
  queryOptions({
    queryKey: [LIVE, 'newest', filters, page_size],
    queryFn: ({ signal }) =>
      fleet.get(alertListPath(filters), { params: { query: { ...filters, page_size } }, signal }),
    placeholderData: previousOf(filters),
  });

export const alertQuery = ({ fleet }: Services, id: string) =>
  queryOptions({
    queryKey: [LIVE, 'alert', id],
    queryFn: ({ signal }) => fleet.get('/api/v1/alerts/{id}', { params: { path: { id } }, signal }),
  });

export const timelineQuery = ({ fleet }: Services, id: string) =>
  queryOptions({
    queryKey: [LIVE, 'timeline', id],
    queryFn: ({ signal }) => fleet.get('/api/v1/alerts/{id}/timeline', { params: { path: { id } }, signal }),
  });
