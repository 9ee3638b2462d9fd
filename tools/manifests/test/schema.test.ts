import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { render } from '../src/helm.ts';
import { chart } from '../src/root.ts';

type Schema = {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
};

const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')) as Schema & {
  definitions: Record<string, Schema>;
};
const defaults = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as object;

/** Nests a value: at('a.b', 1) returns { a: { b: 1 } }. */
const at = (path: string, value: unknown): object =>
  path.split('.').reduceRight((inner, key) => ({ [key]: inner }), value) as object;

const resolved = (part: Schema): Schema =>
  part.$ref === undefined ? part : (schema.definitions[part.$ref.replace('#/definitions/', '')] ?? {});

function pathsOf(part: Schema, prefix = ''): string[] {
  const { properties } = resolved(part);
  if (!properties) return [prefix];
  return Object.entries(properties).flatMap(([key, inner]) =>
    pathsOf(inner, prefix ? `${prefix}.${key}` : key),
  );
}

const valueAt = (path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], defaults);

describe('the schema of the values', () => {
  it('describes the values in values.yaml and no others', () => {
    // Optional fields of Kubernetes types have no default.
    const optional =
      /^collectors\.fleets|\.(claims|initialDelaySeconds|timeoutSeconds|failureThreshold|periodSeconds|successThreshold)$/;
    const missing = pathsOf(schema).filter((path) => valueAt(path) === undefined && !optional.test(path));
    expect(missing).toEqual([]);
    expect(() => render({ values: defaults })).not.toThrow();
  });

  it('rejects unknown values at every level except in `global` and in Kubernetes types', () => {
    const open: string[] = [];
    const visit = (part: Schema, path: string) => {
      const { type, properties, additionalProperties, items } = resolved(part);
      if (type === 'object' && additionalProperties === undefined) open.push(path);
      if (items) visit(items, `${path}[]`);
      for (const [key, inner] of Object.entries(properties ?? {}))
        visit(inner, path ? `${path}.${key}` : key);
    };
    visit(schema, '');
    const kubernetes =
      /(affinity|behavior|strategy|declaration|metrics\[\]|(extraC|initC)ontainers\[\]|topologySpreadConstraints\[\]|extraObjects\[\]|securityContext|containerSecurityContext|content\.volume|extra(In|E)gress\[\]|extraVolumes\[\]|extraVolumeMounts\[\]|tolerations\[\]|claims\[\]|valueFrom|podSelector|namespaceSelector)$/i;
    expect(open.filter((path) => path !== 'global' && !kubernetes.test(path))).toEqual([]);
  });

  it.each([
    ['fleetapi', {}, 'fleetapi is not allowed'],
    ['fleetApi.replica', 2, 'replica is not allowed'],
    ['fleetApi.database.egress.port', [5432], 'port is not allowed'],
    ['fleetApi.replicas', 'two', 'fleetApi.replicas: Invalid type'],
    ['fleetApi.host', 'https://fleet.example.com', 'fleetApi.host: Does not match'],
    ['fleetApi.database.poolSize', 0, 'greater than or equal to 1'],
    ['fleetApi.database.url', { existingSecret: '', key: 'DATABASE_URL' }, 'existingSecret: Does not match'],
    ['fleetApi.retention.alertsMonths', 14, 'less than or equal to 13'],
    ['fleetApi.partitions.schedule', 'daily', 'schedule: Does not match'],
    ['fleetApi.podDisruptionBudget.maxUnavailable', 0, 'greater than or equal to 1'],
    ['fleetApi.podDisruptionBudget.minAvailable', 1, 'minAvailable is not allowed'],
    ['fleetApi.podLabels', { 'app.kubernetes.io/component': 'other' }, 'Property name of'],
    ['fleetApi.image.digest', 'sha256:1234', 'digest: Does not match'],
    ['fleetApi.extraEnv', [{ name: 'X', valeu: '' }], 'valeu is not allowed'],
    ['image.tag', 'latest', 'image.tag: Must not validate'],
    ['image.pullPolicy', 'Sometimes', 'pullPolicy must be one of'],
    ['accountService.github.clientSecret', 'secret', 'clientSecret is not allowed'],
    ['accountService.github.tokenUrl', 'http://github.example.com/token', 'tokenUrl: Does not match'],
    ['internalCredential.value', 'secret', 'value is not allowed'],
    ['frontend.urls', ['https://app.example.com/'], 'frontend.urls.0: Does not match'],
    ['frontend.urls', [], 'at least 1 items'],
    ['trustedProxies', ['proxies'], 'trustedProxies.0: Does not match'],
    ['logLevel', 'verbose', 'logLevel must be one of'],
    ['ingress.tls', 'yes', 'ingress.tls: Invalid type'],
    ['networkPolicy.monitoringFrom', [{}], 'at least 1 properties'],
    ['pods.drainSeconds', 11, 'less than or equal to 10'],
    ['collectors.fleets', [{ name: 'training' }], 'customer is required'],
    [
      'collectors.fleets',
      [{ name: 'training', customer: 1, workspace: 2, targets: ['http://user:password@exporter:9400'] }],
      'targets.0: Does not match',
    ],
    ['global.imageRegistry', 5, 'global.imageRegistry: Invalid type'],
  ])('rejects %s: %j', (path, value, message) => {
    expect(() => render({ values: at(path, value) })).toThrow(message);
  });

  it.each([
    [
      'no way to sign in',
      { accountService: { github: { enabled: false } } },
      'accountService needs a way to sign in',
    ],
    [
      'an OpenID Connect issuer without domains',
      { accountService: { oidc: { enabled: true, issuer: 'https://login.example.com' } } },
      'accountService.oidc.domains is required',
    ],
    [
      'no location of account-service',
      { accountService: { enabled: false } },
      'external.jwksUrl is required',
    ],
    [
      'a console without a cookie that it shares with the services',
      { frontend: { cookieDomain: '' } },
      'the console needs frontend.cookieDomain',
    ],
    [
      'an administrator who could not sign in',
      { accountService: { administrator: { email: 'ada@acme.example' } } },
      'accountService.passwordSignIn must be true',
    ],
    [
      'a console whose origin may not sign in',
      { console: { host: 'console.example.com' } },
      'frontend.urls must contain https://console.example.com',
    ],
    ['a Gateway without a name', { gateway: { enabled: true } }, 'gateway.parentRefs is required'],
    [
      'two fleets with one name',
      {
        collectors: {
          fleets: [1, 2].map((workspace) => ({
            name: 'training',
            customer: 1,
            workspace,
            targets: ['http://exporter:9400/metrics'],
          })),
        },
      },
      'two entries with the name training',
    ],
    [
      'an empty registry in production',
      { fleetApi: { host: 'fleet.observatory.example' } },
      'image.registry is required for fleet.observatory.example',
    ],
    ['pods killed while they drain', { pods: { preStopSleepSeconds: 20 } }, 'at least 15 more'],
  ])('rejects %s', (_what, values, message) => {
    expect(() => render({ values })).toThrow(message);
  });
});
