import type pg from 'pg';
import { buildFleet } from './fleet/fleet.ts';
import { resolveOptions, type SimulationOptions } from './options.ts';

const URLS = ['CONSOLE_URL', 'FLEET_URL', 'ACCOUNT_URL', 'SITE_URL'];
const PROVIDERS = ['GITHUB_CLIENT_ID', 'GOOGLE_CLIENT_ID', 'OIDC_CLIENT_ID'];

/**
 * Checks the settings that compose.trial.yaml passes on.
 *
 * @throws {Error} naming a setting that only a real deployment has
 */
export function checkSettings(environment: NodeJS.ProcessEnv): void {
  const real = [
    ...URLS.filter((name) => environment[name] && new URL(environment[name]).hostname !== 'localhost'),
    ...PROVIDERS.filter((name) => environment[name]),
  ];
  if (real.length > 0)
    throw new Error(
      `${real.join(', ')}: set, but a trial has simulated data and neither real hosts nor an identity provider. ` +
        'Start without compose.trial.yaml, or remove the settings from docker/.env',
    );
}

/** A GPU or host of a customer that the fleet lacks, or an alert of a customer without GPUs: some simulated alerts have no host. */
const OTHER_DATA = `
  (SELECT 'GPU ' || gpu_id AS name FROM fleet.gpus WHERE customer_id = $1 AND gpu_id <> ALL ($2) LIMIT 1)
  UNION ALL
  (SELECT 'host ' || entity_id FROM fleet.entities
   WHERE customer_id = $1 AND kind = 'host' AND entity_id <> ALL ($3) LIMIT 1)
  UNION ALL
  (SELECT 'alert ' || id FROM fleet.alerts
   WHERE customer_id = $1 AND NOT EXISTS (SELECT FROM fleet.gpus WHERE customer_id = $1) LIMIT 1)`;

/**
 * Checks that all data of the fleet's customers is that of the fleet, which has the same ids on every run.
 *
 * @throws {Error} naming data of another source
 */
export async function checkData(client: pg.Client, options: SimulationOptions): Promise<void> {
  const { hosts, gpus } = buildFleet(resolveOptions(options));
  for (const { customer_id: customer } of options.tenants) {
    const { rows } = await client.query<{ name: string }>(OTHER_DATA, [
      customer,
      gpus.map(({ gpuId }) => gpuId),
      hosts.map(({ hostname }) => hostname),
    ]);
    if (rows[0])
      throw new Error(
        `customer ${customer} has data that is not of this simulated fleet: ${rows[0].name}. ` +
          'Nothing is imported. Remove the demo from this deployment (demo.enabled of the chart, compose.trial.yaml)',
      );
  }
}
