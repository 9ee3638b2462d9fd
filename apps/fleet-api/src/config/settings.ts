import { serviceSettings, setting } from '@gpu-observatory/service-runtime';

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
};

/** What the importer reads; the HTTP service has no business with it. */
export const importSettings = {
  IMPORTER_DATABASE_URL: setting.postgresUrl("the importer's writer role"),
};

export const fleetSettings = { ...serviceSettings, ...tokenSettings };
