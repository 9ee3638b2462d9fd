import type { Secrets } from '../secrets.ts';
import type { ServiceKey } from '../services/services.ts';

/** The database of the three services on its server. */
export const DATABASE = 'gpu_observatory';

const runtimeRoles = { fleet: 'fleet_api', account: 'account_service', website: 'website_api' } as const;

/** `postgres://` URLs of the three schemas' roles. */
export interface DatabaseUrls {
  /** A role that may make schemas and roles. */
  administrator: string;
  /** Own a schema each, and migrate it. */
  owners: Record<ServiceKey, string>;
  /** May do what the services do at run time. */
  runtimes: Record<ServiceKey, string>;
  /** Writes the fleet schema. */
  importer: string;
}

/** @param administratorUrl leads to our database, wherever its server is */
export function databaseUrls(administratorUrl: string, secrets: Secrets): DatabaseUrls {
  const { fleet, account, website } = runtimeRoles;
  return {
    administrator: administratorUrl,
    owners: {
      fleet: asRole(administratorUrl, 'fleet_owner', secrets.fleet_owner_password),
      account: asRole(administratorUrl, 'account_owner', secrets.account_owner_password),
      website: asRole(administratorUrl, 'website_owner', secrets.website_owner_password),
    },
    runtimes: {
      fleet: asRole(administratorUrl, fleet, secrets.fleet_api_password),
      account: asRole(administratorUrl, account, secrets.account_service_password),
      website: asRole(administratorUrl, website, secrets.website_api_password),
    },
    importer: importerUrl(administratorUrl, secrets),
  };
}

/** @param anyUrl of any role on the same database */
export function importerUrl(
  anyUrl: string,
  { fleet_importer_password }: Pick<Secrets, 'fleet_importer_password'>,
) {
  return asRole(anyUrl, 'fleet_importer', fleet_importer_password);
}

function asRole(url: string, role: string, password: string): string {
  return Object.assign(new URL(url), { username: role, password }).href;
}
