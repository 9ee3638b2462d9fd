import { type Access, DAY_MS } from '@gpu-observatory/domain-types';
import type { FleetSide } from './fleet-side.ts';

/** Customers of the simulated fleet. */
export const CUSTOMERS = [1, 2, 3];
export const TENANTS = CUSTOMERS.map((customer_id) => ({
  customer_id,
  workspaces: [1, 2, 3].map((n) => ({
    workspace_id: customer_id * 10 + n,
    name: `Workspace ${n}`,
    api_key_ids: [customer_id * 100 + n],
  })),
}));

export interface Caller {
  name: string;
  access: Access;
}

const all = (customer_id: number) => ({ customer_id, workspace_ids: 'all' as const });
export const ONE_CUSTOMER: Caller = { name: 'one customer', access: [all(1)] };
export const WORKSPACES: Caller = {
  name: 'two workspaces of a customer',
  access: [{ customer_id: 2, workspace_ids: [21, 22] }],
};
const SEVERAL_CUSTOMERS: Caller = {
  name: 'three customers',
  access: [all(1), { customer_id: 2, workspace_ids: [21] }, all(3)],
};
export const CALLERS = [ONE_CUSTOMER, WORKSPACES, SEVERAL_CUSTOMERS];

const SORTS = ['timestamp', 'severity', 'state', 'type', 'hostname'].flatMap((field) => [field, `-${field}`]);
const FILTERS = [
  '',
  'filter[severity][in]=critical,high',
  'filter[state][notIn]=ignored',
  'filter[type][in]=gpu_usage',
  'filter[title][contains]=GPU',
  'filter[title][contains]=performance%20counters%20show',
  'filter[hostname][startsWith]=a',
];

/** Returns a request of each kind: lists with every sort and filter, counts, metrics and GPU lists of several windows. */
export function listRequests(nowMs: number): string[] {
  const at = (days: number) => encodeURIComponent(new Date(nowMs - days * DAY_MS).toISOString());
  const windows = ['', `from=${at(40)}&to=${at(2.3)}`, `from=${at(1.2)}&to=${at(0.1)}`];
  const scopes = ['', 'workspace_id=21', 'api_key_id=101', 'customer_id=1'];
  const join = (...parts: string[]) => parts.filter((part) => part !== '').join('&');
  return [
    ...SORTS.map((sort) => `/api/v1/alerts/?page_size=50&sort=${sort}`),
    ...FILTERS.flatMap((filter) =>
      windows.map((window) => `/api/v1/alerts/?${join('page_size=20', filter, window)}`),
    ),
    ...scopes.map((scope) => `/api/v1/alerts/?${join('page_size=1000', scope)}`),
    ...['alerts:summary', 'alerts:severityTrend'].flatMap((path) =>
      windows.flatMap((window) =>
        [...scopes, ...FILTERS.slice(1)].map((filter) => `/api/v1/${path}?${join(filter, window)}`),
      ),
    ),
    ...windows.slice(1).flatMap((window) => scopes.map((scope) => `/api/v1/metrics?${join(scope, window)}`)),
    ...['', 'page_size=10', 'page_size=100&view=basic'].flatMap((page) =>
      windows.slice(1).map((window) => `/api/v1/gpus?${join(page, window)}`),
    ),
    ...scopes.map((scope) => `/api/v1/gpus?${join('page_size=20', windows[1]!, scope)}`),
  ];
}

/** Whether a request searches texts, which Citus sends to all nodes (docs/decisions/citus.md). */
export const isSearch = (path: string) => /\[(?:contains|startsWith)\]/.test(path);

/** Reads ids of alerts and GPUs that the caller sees, and returns the requests for each of them. */
export async function detailRequests(side: FleetSide, caller: Caller): Promise<string[]> {
  const read = async (path: string) => JSON.parse((await side.get(path, caller.access)).body) as object;
  const { alerts } = (await read('/api/v1/alerts/?page_size=15')) as { alerts: { id: string }[] };
  const { gpus } = (await read('/api/v1/gpus?page_size=15&view=basic')) as { gpus: { gpu_id: string }[] };
  return [
    ...alerts.flatMap(({ id }) => [`/api/v1/alerts/${id}`, `/api/v1/alerts/${id}/timeline`]),
    ...gpus.map(({ gpu_id }) => `/api/v1/gpus/${encodeURIComponent(gpu_id)}`),
  ];
}
