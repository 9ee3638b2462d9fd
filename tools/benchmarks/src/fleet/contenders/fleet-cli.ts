import { fileURLToPath } from 'node:url';

/** fleet-api's operations commands, as built. */
export const FLEET_CLI = fileURLToPath(
  new URL('../../../../../apps/fleet-api/dist/src/cli.js', import.meta.url),
);
