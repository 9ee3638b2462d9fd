import { query } from '@gpu-observatory/embedded-database';
import type { FleetUrls } from './fleet-database.ts';

/** Makes later connections of fleet-api plan like those of a deployment: settings of roles are not cloned with a database. */
export async function useGenericPlans({ administratorUrl }: FleetUrls): Promise<void> {
  const { pathname } = new URL(administratorUrl);
  await query(
    administratorUrl,
    `ALTER ROLE fleet_api IN DATABASE ${pathname.slice(1)} SET plan_cache_mode = force_generic_plan`,
  );
}
