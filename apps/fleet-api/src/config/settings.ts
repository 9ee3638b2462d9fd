import { serviceSettings, setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import { readLimitSettings } from './read-limits.config.ts';

/** Settings of token verification. To serve a request, fleet-api sends none to account-service. */
const tokenSettings = {
  TOKEN_ISSUER: setting.httpUrl("account-service's public URL, the `iss` of its tokens"),
  TOKEN_AUDIENCE: setting
    .text('the `aud` of the tokens (default gpu-observatory)')
    .default('gpu-observatory'),
  JWKS_URL: setting.httpUrl("internal URL of account-service's /.well-known/jwks.json"),
  ACCOUNT_INTERNAL_URL: setting.httpUrl("account-service's internal port, for the revocation feed"),
  INTERNAL_CREDENTIAL: setting.rotatedSecret('secret for the internal port of account-service'),
  REVOCATION_STALENESS_LIMIT_SECONDS: setting.integer(
    'age of the revocation feed in seconds from which readiness and metrics report it as stale',
    { min: 2, max: 86_400, defaultValue: 10 },
  ),
  REVOCATION_STALENESS_NOT_READY: setting.flag(
    'whether a stale revocation feed makes the service not ready, so that an outage of account-service stops this one',
    'false',
  ),
  COOKIE_DOMAIN: z
    .string()
    .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/)
    .optional()
    .describe(
      'the parent domain of the access cookie, as configured for account-service, such as example.com (default none)',
    ),
};

/** Settings of both the importer and the service, which must use the same XID table. */
const xidSettings = {
  XID_TABLE_FILE: setting
    .text('a YAML file that overrides the built-in XID table, see docs/gpu-health.md (default none)')
    .optional(),
};

/** Settings of the importer. Only the importer reads the URL of its database role. */
export const importSettings = {
  IMPORTER_DATABASE_URL: setting.postgresUrl("the importer's writer role"),
  ...xidSettings,
  FALCO_RULES_FILE: setting
    .text('a YAML file that overrides the built-in rule table, see docs/importing.md (default none)')
    .optional(),
};

export const fleetSettings = {
  ...serviceSettings,
  PUBLIC_URL: setting
    .httpUrl(
      'public URL of this service, for the examples of its API reference and its OAuth metadata (default https://fleet.example.com)',
    )
    .default('https://fleet.example.com'),
  ...readLimitSettings,
  STANDBY_LAG_LIMIT_SECONDS: setting.integer(
    'replication lag of a standby above which the service is not ready',
    { min: 1, max: 86_400, defaultValue: 60 },
  ),
  RESPONSE_CACHE_MB: setting.integer('size limit of the response cache, in MB; 0 disables it', {
    min: 0,
    max: 16_384,
    defaultValue: 32,
  }),
  ...tokenSettings,
  ...xidSettings,
};
