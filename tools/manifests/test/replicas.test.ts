import { chart } from '../src/root.ts';
import { Cluster } from './support/cluster.ts';

const FLEET_API = 'gpu-observatory-fleet-api';
const ACCOUNT_SERVICE = 'gpu-observatory-account-service';
const autoscaled = { fleetApi: { autoscaling: { enabled: true, minReplicas: 3, maxReplicas: 8 } } };

/** Runs helm with flags that skip what the test cluster does not have: controllers and an OpenAPI document. */
const upgrade = (cluster: Cluster, values: object) =>
  cluster.helm(
    [
      ...['upgrade', '--install', 'gpu-observatory', chart, '--namespace', 'gpu-observatory', '--values', '-'],
      ...['--no-hooks', '--disable-openapi-validation'],
    ],
    values,
  );

it('keeps the replicas when autoscaling is turned on', async () => {
  await using cluster = await Cluster.start();
  await upgrade(cluster, { fleetApi: { replicas: 6 } });
  expect(cluster.replicas(FLEET_API)).toBe(6);
  await upgrade(cluster, autoscaled);
  expect(cluster.replicas(FLEET_API)).toBe(6);
  expect(cluster.object('HorizontalPodAutoscaler', FLEET_API)).toBeDefined();
  // The number of the autoscaler survives further upgrades and a rollback.
  cluster.scale(FLEET_API, 8);
  await upgrade(cluster, autoscaled);
  expect(cluster.replicas(FLEET_API)).toBe(8);
  await cluster.helm(['rollback', 'gpu-observatory', '--namespace', 'gpu-observatory', '--no-hooks']);
  expect(cluster.replicas(FLEET_API)).toBe(6);
});

it('starts every service again after a restore has scaled it to 0', async () => {
  await using cluster = await Cluster.start();
  await upgrade(cluster, autoscaled);
  expect(cluster.replicas(FLEET_API)).toBe(3);
  for (const name of [FLEET_API, ACCOUNT_SERVICE]) cluster.scale(name, 0);
  await upgrade(cluster, autoscaled);
  expect([cluster.replicas(FLEET_API), cluster.replicas(ACCOUNT_SERVICE)]).toEqual([3, 2]);
});

it('returns to the configured replicas when autoscaling is turned off', async () => {
  await using cluster = await Cluster.start();
  await upgrade(cluster, autoscaled);
  cluster.scale(FLEET_API, 7);
  await upgrade(cluster, { fleetApi: { replicas: 2 } });
  expect(cluster.replicas(FLEET_API)).toBe(2);
  expect(cluster.object('HorizontalPodAutoscaler', FLEET_API)).toBeUndefined();
});
