import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { loadChunk } from './parts/chunk-error.ts';
import { Empty, ErrorState } from './parts/states.tsx';
import type { Search } from './search.ts';
import { Shell } from './shell/shell.tsx';

const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));
const stringifySearch = (search: object): string => {
  const defined = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(defined as [string, string][]).toString();
  return text === '' ? '' : `?${text}`;
};
const validateSearch = (search: Record<string, unknown>) => search as Search;

const root = createRootRoute({
  component: Shell,
  validateSearch,
  // The scope narrows every view, so each link keeps it.
  search: { middlewares: [retainSearchParams(['customer', 'workspace'])] },
  notFoundComponent: () => (
    <Empty title="There is no such page." isPage>
      <a href="/">Go to the overview</a>
    </Empty>
  ),
});

const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyRouteComponent(() => loadChunk(() => import('./overview/overview.tsx')), 'Overview'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts',
    component: lazyRouteComponent(() => loadChunk(() => import('./alerts/alerts.tsx')), 'Alerts'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alerts/$id',
    component: lazyRouteComponent(() => loadChunk(() => import('./alerts/alert-page.tsx')), 'AlertPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/hosts',
    component: lazyRouteComponent(() => loadChunk(() => import('./hosts/hosts.tsx')), 'Hosts'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/hosts/$hostname',
    component: lazyRouteComponent(() => loadChunk(() => import('./hosts/host-page.tsx')), 'HostPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/gpus',
    component: lazyRouteComponent(() => loadChunk(() => import('./gpus/gpus.tsx')), 'Gpus'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/gpus/$id',
    component: lazyRouteComponent(() => loadChunk(() => import('./gpus/gpu-page.tsx')), 'GpuPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/xids',
    component: lazyRouteComponent(() => loadChunk(() => import('./xids/xids.tsx')), 'Xids'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/usage',
    component: lazyRouteComponent(() => loadChunk(() => import('./usage/usage.tsx')), 'Usage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/metrics',
    component: lazyRouteComponent(() => loadChunk(() => import('./metrics/metrics.tsx')), 'Metrics'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    component: lazyRouteComponent(() => loadChunk(() => import('./keys/keys.tsx')), 'Keys'),
  }),
];

export function createAppRouter() {
  return createRouter({
    routeTree: root.addChildren(routes),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error as Error} onRetry={reset} />,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
