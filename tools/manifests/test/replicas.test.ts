import { parse } from 'yaml';
import { chart } from '../src/root.ts';
import { Cluster } from './support/cluster.ts';
import { exampleValues } from './support/examples.ts';

const FLEET_API = 'gpu-observatory-fleet-api';
const autoscaled = { fleetApi: { autoscaling: { enabled: true, minReplicas: 3, maxReplicas: 8 } } };

/** Runs helm with flags that skip what the test cluster does not have: controllers and an OpenAPI document. */
const upgrade = (cluster: Cluster, values: object) =>
  cluster.helm(
    [
      ...[
        'upgrade',
        '--install',
        'gpu-observatory',
        chart,
        '--namespace',
        'gpu-observatory',
        '--values',
        '-',
      ],
      ...['--no-hooks', '--disable-openapi-validation'],
    ],
    // The cluster has no Secrets.
    { checkSecrets: false, ...values },
  );
const replicas = (cluster: Cluster) => cluster.object('Deployment', FLEET_API)?.spec?.['replicas'];

it('keeps the replicas when autoscaling is turned on, and at each further upgrade and rollback', async () => {
  await using cluster = await Cluster.start();
  await upgrade(cluster, { fleetApi: { replicas: 6 } });
  expect(replicas(cluster)).toBe(6);
  await upgrade(cluster, autoscaled);
  expect(replicas(cluster)).toBe(6);
  expect(cluster.object('HorizontalPodAutoscaler', FLEET_API)).toBeDefined();
  cluster.patch('Deployment', FLEET_API, { replicas: 8 });
  await upgrade(cluster, autoscaled);
  expect(replicas(cluster)).toBe(8);
  await cluster.helm(['rollback', 'gpu-observatory', '--namespace', 'gpu-observatory', '--no-hooks']);
  expect(replicas(cluster)).toBe(6);
});

it('keeps the replicas that another autoscaler sets, also none', async () => {
  await using cluster = await Cluster.start();
  await upgrade(cluster, { fleetApi: { replicas: 6 } });
  await upgrade(cluster, { fleetApi: { replicas: null } });
  expect(replicas(cluster)).toBe(6);
  for (const count of [9, 0]) {
    cluster.patch('Deployment', FLEET_API, { replicas: count });
    await upgrade(cluster, { fleetApi: { replicas: null } });
    expect(replicas(cluster)).toBe(count);
  }
});

it('rejects an autoscaler without a metric, which would scale by 80 % of CPU', async () => {
  await using cluster = await Cluster.start();
  const fleetApi = { autoscaling: { enabled: true, targetCPUUtilizationPercentage: 0 } };
  await expect(upgrade(cluster, { fleetApi })).rejects.toThrow('fleetApi.autoscaling has no metric: set ');
});

it('returns to the configured replicas when autoscaling is turned off', async () => {
  await using cluster = await Cluster.start();
  await upgrade(cluster, autoscaled);
  expect(replicas(cluster)).toBe(3);
  cluster.patch('Deployment', FLEET_API, { replicas: 7 });
  await upgrade(cluster, { fleetApi: { replicas: 2 } });
  expect(replicas(cluster)).toBe(2);
  expect(cluster.object('HorizontalPodAutoscaler', FLEET_API)).toBeUndefined();
});

it('ends the documented restore with every Deployment running and every CronJob resumed', async () => {
  await using cluster = await Cluster.start();
  const values = {
    ...(parse(exampleValues().get('values-production.yaml') ?? '') as object),
    collectors: {
      fleets: [{ name: 'training', customer: 1, workspace: 1, targets: ['http://exporter:9400/metrics'] }],
    },
  };
  await upgrade(cluster, values);
  const specs = (kind: string) =>
    cluster.all(kind).map(({ metadata, spec }) => [metadata.name, spec] as const);
  const [deployments, cronJobs] = [specs('Deployment'), specs('CronJob')];
  expect(deployments.length).toBeGreaterThanOrEqual(4);
  for (const [, spec] of deployments) expect(spec?.['replicas']).toBeGreaterThan(0);

  // The commands of k8s/README.md before its `helm upgrade`.
  for (const [name] of deployments) cluster.patch('Deployment', name, { replicas: 0 });
  for (const name of ['fleet-api-partitions', 'fleet-api-retention', 'account-service-clean-up'])
    cluster.patch('CronJob', `gpu-observatory-${name}`, { suspend: true });
  await upgrade(cluster, values);
  expect([specs('Deployment'), specs('CronJob')]).toEqual([deployments, cronJobs]);
});
