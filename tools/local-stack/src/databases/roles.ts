import type { Secrets } from '../secrets.ts';

/** Database of the three services. */
export const DATABASE = 'gpu_observatory';

/** `postgres://` URLs of the roles. */
export type DatabaseUrls = ReturnType<typeof databaseUrls>;

/** @param administratorUrl URL on the database of the stack */
export function databaseUrls(administratorUrl: string, secrets: Secrets) {
  return {
    /** Creates schemas and roles. */
    administrator: administratorUrl,
    /** Owners of the schemas, for migrations and management. */
    owners: {
      fleet: asRole(administratorUrl, 'fleet_owner', secrets.fleet_owner_password),
      account: asRole(administratorUrl, 'account_owner', secrets.account_owner_password),
      website: asRole(administratorUrl, 'website_owner', secrets.website_owner_password),
    },
    /** Runtime roles of the services. */
    runtimes: {
      fleet: asRole(administratorUrl, 'fleet_api', secrets.fleet_api_password),
      account: asRole(administratorUrl, 'account_service', secrets.account_service_password),
      website: asRole(administratorUrl, 'website_api', secrets.website_api_password),
    },
    /** Writes the fleet schema. */
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
