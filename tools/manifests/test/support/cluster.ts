import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { helm } from '../../src/helm.ts';

const execute = promisify(execFile);

interface StoredObject {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  [field: string]: unknown;
}

/** Resources of the API groups that the chart's objects and helm's own records belong to. */
const RESOURCES: Record<string, Record<string, string>> = {
  v1: { secrets: 'Secret', services: 'Service', serviceaccounts: 'ServiceAccount', configmaps: 'ConfigMap' },
  'apps/v1': { deployments: 'Deployment' },
  'batch/v1': { cronjobs: 'CronJob', jobs: 'Job' },
  'autoscaling/v2': { horizontalpodautoscalers: 'HorizontalPodAutoscaler' },
  'policy/v1': { poddisruptionbudgets: 'PodDisruptionBudget' },
  'monitoring.coreos.com/v1': { servicemonitors: 'ServiceMonitor', prometheusrules: 'PrometheusRule' },
  'gateway.networking.k8s.io/v1': { httproutes: 'HTTPRoute' },
  'networking.k8s.io/v1': { ingresses: 'Ingress', networkpolicies: 'NetworkPolicy' },
};

/**
 * An API server that stores objects and does nothing else: no validation, no controllers, and JSON merge patches in place
 * of strategic ones, which differ only in lists. It shows which scalar fields helm sets and removes.
 */
export class Cluster implements AsyncDisposable {
  /** By API path. */
  private readonly objects = new Map<string, StoredObject>();
  private readonly server = createServer((request, response) => {
    void this.respond(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  private readonly home = mkdtempSync(join(tmpdir(), 'helm-home-'));

  static async start(): Promise<Cluster> {
    const cluster = new Cluster();
    cluster.server.listen(0, '127.0.0.1');
    await once(cluster.server, 'listening');
    return cluster;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    rmSync(this.home, { recursive: true });
    await once(this.server, 'close');
  }

  /** Runs helm against this cluster. @throws {Error} with its standard error when it fails */
  async helm(args: string[], values?: object): Promise<void> {
    const { port } = this.server.address() as AddressInfo;
    const running = execute(helm, ['--kube-apiserver', `http://127.0.0.1:${port}`, ...args], {
      env: { HOME: this.home },
    });
    running.child.stdin?.end(values && JSON.stringify(values));
    await running;
  }

  all(kind: string): StoredObject[] {
    return [...this.objects.values()].filter((object) => object.kind === kind);
  }

  object(kind: string, name: string): StoredObject | undefined {
    return this.all(kind).find(({ metadata }) => metadata.name === name);
  }

  /** Changes the specification of an object, as `kubectl patch` and `kubectl scale` do. */
  patch(kind: string, name: string, spec: Record<string, unknown>): void {
    const object = this.object(kind, name);
    if (object === undefined) throw new Error(`no ${kind} ${name}`);
    object.spec = { ...object.spec, ...spec };
  }

  /** Creates Secrets with these keys. */
  addSecrets(keysByName: ReadonlyMap<string, readonly string[]>): void {
    for (const [name, keys] of keysByName) {
      this.store(`/api/v1/namespaces/gpu-observatory/secrets/${name}`, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name },
        data: Object.fromEntries(keys.map((key) => [key, 'c2VjcmV0'])),
      });
    }
  }

  private async respond(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://cluster');
    const body = request.method === 'GET' ? undefined : ((await json(request)) as StoredObject);
    const described = discovery(pathname);
    if (described) return { status: 200, body: described };
    const stored = this.objects.get(pathname);
    switch (request.method) {
      case 'POST':
        return { status: 201, body: this.store(`${pathname}/${body!.metadata.name}`, body!) };
      case 'PUT':
        return { status: 200, body: this.store(pathname, body!) };
      case 'PATCH':
        return stored
          ? { status: 200, body: this.store(pathname, merged(stored, body) as StoredObject) }
          : missing;
      case 'DELETE':
        return this.objects.delete(pathname) ? { status: 200, body: stored } : missing;
      default:
        if (stored) return { status: 200, body: stored };
        return isCollection(pathname)
          ? { status: 200, body: this.list(pathname, searchParams.get('labelSelector') ?? '') }
          : missing;
    }
  }

  /** Stores an object with the defaults of an API server that matter here. */
  private store(path: string, object: StoredObject): StoredObject {
    const spec =
      object.kind === 'Deployment'
        ? { ...object.spec, replicas: object.spec?.['replicas'] ?? 1 }
        : object.spec;
    const complete = { ...object, ...(spec && { spec }) };
    this.objects.set(path, complete);
    return complete;
  }

  private list(path: string, selector: string): object {
    const { apiVersion, kind } = resourceOf(path);
    const wanted = selector.split(',').filter(Boolean);
    const items = [...this.objects]
      .filter(([key]) => key.startsWith(`${path}/`))
      .map(([, object]) => object)
      .filter(({ metadata: { labels = {} } }) =>
        wanted.every((pair) => labels[pair.split('=')[0]!] === pair.split('=')[1]),
      );
    return { apiVersion, kind: `${kind}List`, metadata: {}, items };
  }
}

const missing = {
  status: 404,
  body: { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 },
};

/** /apis/apps/v1/namespaces/x/deployments[/name] */
const PATH = /^\/(?:api|apis)\/(.+)\/namespaces\/[^/]+\/([a-z]+)$/;
const isCollection = (path: string) => PATH.test(path);

function resourceOf(path: string): { apiVersion: string; kind: string } {
  const [, apiVersion = '', resource = ''] = PATH.exec(path) ?? [];
  return { apiVersion, kind: RESOURCES[apiVersion]?.[resource] ?? 'Unknown' };
}

/** Returns the description of the API that helm reads first. */
function discovery(path: string): object | undefined {
  if (path === '/version') return { major: '1', minor: '31', gitVersion: 'v1.31.0' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') {
    const groups = Object.keys(RESOURCES)
      .filter((groupVersion) => groupVersion.includes('/'))
      .map((groupVersion) => {
        const [name, version] = groupVersion.split('/');
        return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
      });
    return { apiVersion: 'v1', kind: 'APIGroupList', groups };
  }
  const groupVersion = path.replace(/^\/apis?\//, '');
  const resources = RESOURCES[groupVersion];
  return (
    resources && {
      apiVersion: 'v1',
      kind: 'APIResourceList',
      groupVersion,
      resources: Object.entries(resources).map(([name, kind]) => ({
        name,
        kind,
        namespaced: true,
        verbs: [],
      })),
    }
  );
}

/** Applies a JSON merge patch, RFC 7396. */
function merged(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result = { ...(target as Record<string, unknown> | undefined) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}
