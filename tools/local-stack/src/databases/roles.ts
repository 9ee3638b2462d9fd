import type { Secrets } from '../secrets.ts';
import type { ServiceKey } from '../services/services.ts';

/** Database of the three services. */
export const DATABASE = 'gpu_observatory';

const runtimeRoles = { fleet: 'fleet_api', account: 'account_service', website: 'website_api' } as const;

/** `postgres://` URLs of the roles. */
export interface DatabaseUrls {
  /** Creates schemas and roles. */
  administrator: string;
  /** Owners of the schemas, for migrations and management. */
  owners: Record<ServiceKey, string>;
  /** Runtime roles of the services. */
  runtimes: Record<ServiceKey, string>;
  /** Writes the fleet schema. */
  importer: string;
}

/** @param administratorUrl URL on the database of the stack */
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

/** @param anyUrl URL of any role on the same database */
export function importerUrl(
  anyUrl: string,
  { fleet_importer_password }: Pick<Secrets, 'fleet_importer_password'>,
) {
  return asRole(anyUrl, 'fleet_importer', fleet_importer_password);
}

function asRole(url: string, role: string, password: string): string {
  return Object.assign(new URL(url), { username: role, password }).href;
}
