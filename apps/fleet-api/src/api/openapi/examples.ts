import type { OperationExample } from '@gpu-observatory/service-runtime';
import { alert, alertPage, alertSummary, severityTrend, timeline } from './alert-examples.ts';
import { gpuDetail, gpuPage } from './gpu-examples.ts';
import { metrics } from './metrics-example.ts';
import { xidIncidents } from './xid-incident-example.ts';

/** Example of each operation: responses of the simulated fleet with shorter lists. */
export const examples: Record<string, OperationExample> = {
  listAlerts: {
    parameters: { 'filter[severity][in]': 'critical,high', 'filter[state][equals]': 'active', page_size: 2 },
    response: alertPage,
  },
  summarizeAlerts: { parameters: { from: '2026-11-15T00:00:00Z' }, response: alertSummary },
  trendAlerts: { parameters: { from: '2026-11-20T00:00:00Z' }, response: severityTrend },
  getAlert: { parameters: { id: alert.alert.id }, response: alert },
  listTimelineEvents: { parameters: { id: alert.alert.id }, response: timeline },
  listGpus: { parameters: { view: 'basic', page_size: 2 }, response: gpuPage },
  getGpu: { parameters: { id: gpuDetail.gpu.gpu_id }, response: gpuDetail },
  listXidIncidents: { parameters: { code: '79', page_size: 1 }, response: xidIncidents },
  getMetrics: { response: metrics },
};
