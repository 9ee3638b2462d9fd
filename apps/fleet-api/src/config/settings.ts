import { serviceSettings, setting } from '@gpu-observatory/service-runtime';
import { z } from 'zod';
import { readLimitSettings } from './read-limits.config.ts';

/** How fleet-api knows whose token it sees: it never calls account-service for a request. */
export const tokenSettings = {
  TOKEN_ISSUER: setting.httpUrl("account-service's public URL, the `iss` of its tokens"),
  TOKEN_AUDIENCE: setting
    .text('the `aud` of the tokens (default gpu-observatory)')
    .default('gpu-observatory'),
  JWKS_URL: setting.httpUrl("account-service's /.well-known/jwks.json, as reached from here"),
  ACCOUNT_INTERNAL_URL: setting.httpUrl("account-service's internal port, for the revocation feed"),
  INTERNAL_CREDENTIAL: setting.secret(
    'what the services of this deployment prove themselves to each other with',
  ),
  COOKIE_DOMAIN: z
    .string()
    .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/)
    .optional()
    .describe(
      'the parent domain whose hosts share the session cookies, as account-service has it, such as example.com (default none)',
    ),
};

/** How stale a copy of the data may be that is still served. */
export const standbySettings = {
  STANDBY_LAG_LIMIT_SECONDS: setting.integer(
    'how far a standby may lag behind its primary before the service is not ready',
    { min: 1, max: 86_400, defaultValue: 60 },
  ),
};

/** What one process keeps of its answers. */
export const memorySettings = {
  ANSWER_MEMORY_MB: setting.integer(
    'memory for answers that are given again while their data are the same, in MB; 0 for none',
    { min: 0, max: 16_384, defaultValue: 64 },
  ),
};

/** Tables that an operator may put before the ones that ship. Import and service should be told of the same XIDs. */
export const xidSettings = {
  XID_TABLE_FILE: setting
    .text(
      'a YAML file of the shape of docs/gpu-health.md, put before the XID table that ships (default none)',
    )
    .optional(),
};
export const falcoSettings = {
  FALCO_RULES_FILE: setting
    .text(
      'a YAML file of the shape of docs/importing.md, put before the rule table that ships (default none)',
    )
    .optional(),
};

/** What the importer reads; the HTTP service has no business with its database role. */
export const importSettings = {
  IMPORTER_DATABASE_URL: setting.postgresUrl("the importer's writer role"),
  ...xidSettings,
  ...falcoSettings,
};

export const fleetSettings = {
  ...serviceSettings,
  ...readLimitSettings,
  ...standbySettings,
  ...memorySettings,
  ...tokenSettings,
  ...xidSettings,
};
