import type { OperationExample } from '@gpu-observatory/service-runtime';
import { alert, alertPage, alertSummary, severityTrend, timeline } from './alert-examples.ts';
import { alertGroups } from './alert-groups-example.ts';
import { fleetUsage } from './fleet-usage-example.ts';
import { gpuDetail, gpuPage } from './gpu-examples.ts';
import { gpuHistory, gpuStatus, host, hosts } from './status-examples.ts';
import { metrics } from './metrics-example.ts';
import { xidIncidents } from './xid-incident-example.ts';

/** Example of each operation: responses of the simulated fleet with shorter lists. */
export const examples: Record<string, OperationExample> = {
  listAlerts: {
    parameters: { 'filter[severity][in]': 'critical,high', 'filter[state][equals]': 'active', page_size: 2 },
    response: alertPage,
  },
  searchAlerts: {
    parameters: { q: 'busy without', page_size: 1 },
    response: { ...alertPage, alerts: alertPage.alerts.slice(0, 1) },
  },
  groupAlerts: {
    parameters: { group_by: 'host', from: '2026-11-20T00:00:00Z', page_size: 1 },
    response: alertGroups,
  },
  summarizeAlerts: { parameters: { from: '2026-11-15T00:00:00Z' }, response: alertSummary },
  trendAlerts: { parameters: { from: '2026-11-20T00:00:00Z' }, response: severityTrend },
  getAlert: { parameters: { id: alert.alert.id }, response: alert },
  listTimelineEvents: { parameters: { id: alert.alert.id }, response: timeline },
  listGpus: { parameters: { view: 'basic', page_size: 2 }, response: gpuPage },
  getGpu: { parameters: { id: gpuDetail.gpu.gpu_id }, response: gpuDetail },
  listGpuStatus: { parameters: { health: 'critical,missing', page_size: 1 }, response: gpuStatus },
  getGpuHistory: { parameters: { id: gpuHistory.gpu_id }, response: gpuHistory },
  listHosts: { parameters: { page_size: 1 }, response: hosts },
  getHost: { parameters: { hostname: host.host.hostname }, response: host },
  listXidIncidents: { parameters: { code: '79', page_size: 1 }, response: xidIncidents },
  getFleetUsage: { parameters: { from: '2026-11-15T17:30:00Z', page_size: 1 }, response: fleetUsage },
  getMetrics: { response: metrics },
  getProtectedResourceMetadata: {
    response: {
      resource: 'https://fleet.example.com',
      authorization_servers: ['https://account.example.com'],
      scopes_supported: ['fleet:read'],
      bearer_methods_supported: ['header'],
      resource_name: 'GPU Observatory fleet data API',
      resource_documentation: 'https://fleet.example.com/docs',
    },
  },
};
