import { imageEnvironment } from '@gpu-observatory/testing';
import {
  accountServiceEnvironment,
  type IdentityProviderEndpoints,
} from '@gpu-observatory/identity-provider';
import type { DatabaseUrls } from '../databases/roles.ts';
import { AGENT_FRONTEND_PORT, FRONTEND_PORTS, localUrl, type Ports, publicUrls } from '../ports.ts';
import type { Secrets } from '../secrets.ts';
import type { ServiceKey } from './services.ts';

export type Environment = Record<string, string>;

/** Environment variables of the services and of their operations commands. */
export interface ServiceEnvironments {
  services: Record<ServiceKey, Environment>;
  operations: Record<ServiceKey, Environment>;
}

/** Returns the allowed frontend origins: the console, frontends in development, and the requested ones. */
function frontendOrigins(consoleUrl: string, requested: string[]): string[] {
  return [...new Set([consoleUrl, ...FRONTEND_PORTS.map(localUrl), ...requested])];
}

/** Returns the OAuth clients of account-service at the identity provider. */
export function oauthClients(accountUrl: string, secrets: Secrets) {
  const client = (provider: 'github' | 'google') => ({
    clientId: `gpu-observatory-${provider}`,
    clientSecret: secrets[`${provider}_client_secret`],
    redirectUris: [`${accountUrl}/api/v1/auth/${provider}/callback`],
    name: 'GPU Observatory',
  });
  return { github: client('github'), google: client('google') };
}

export function serviceEnvironments({
  ports,
  secrets,
  urls,
  provider,
  rateLimits,
  https,
  frontendOrigin,
}: {
  ports: Ports;
  secrets: Secrets;
  urls: DatabaseUrls;
  provider: IdentityProviderEndpoints;
  rateLimits: boolean;
  https: boolean;
  frontendOrigin: string[];
}): ServiceEnvironments {
  const publicUrl = publicUrls(ports, https);
  const origins = frontendOrigins(publicUrl.console, frontendOrigin).join(',');
  const common = (key: ServiceKey): Environment => ({
    ...imageEnvironment(),
    HOST: '127.0.0.1',
    PORT: String(ports[key]),
    MANAGEMENT_PORT: String(ports[`${key}Management`]),
    ALLOWED_ORIGINS: origins,
    DATABASE_URL: urls.runtimes[key],
    SITE_URL: publicUrl.website,
    // There is no load balancer that must notice the shutdown.
    SHUTDOWN_DRAIN_SECONDS: '0',
  });
  const operations = (key: ServiceKey): Environment => ({
    ADMINISTRATOR_DATABASE_URL: urls.administrator,
    OWNER_DATABASE_URL: urls.owners[key],
    DATABASE_URL: urls.runtimes[key],
  });
  const internal = {
    ACCOUNT_INTERNAL_URL: `http://127.0.0.1:${ports.accountInternal}`,
    INTERNAL_CREDENTIAL: secrets.internal_credential,
  };
  const clients = oauthClients(publicUrl.account, secrets);
  return {
    services: {
      fleet: {
        ...common('fleet'),
        PUBLIC_URL: publicUrl.fleet,
        TOKEN_ISSUER: publicUrl.account,
        JWKS_URL: `http://127.0.0.1:${ports.account}/.well-known/jwks.json`,
        ...internal,
      },
      account: {
        ...common('account'),
        PUBLIC_URL: publicUrl.account,
        INTERNAL_PORT: String(ports.accountInternal),
        INTERNAL_CREDENTIAL: secrets.internal_credential,
        SIGNING_KEY_SECRET: secrets.signing_key_secret,
        FRONTEND_URLS: origins,
        ...accountServiceEnvironment(provider, clients),
        RATE_LIMITS: String(rateLimits),
      },
      website: {
        ...common('website'),
        DOCS_URL: `${publicUrl.website}/developers`,
        SIGN_IN_URL: publicUrl.console,
        AGENT_FRONTEND_URL: localUrl(AGENT_FRONTEND_PORT),
        FLEET_URL: publicUrl.fleet,
        ACCOUNT_URL: publicUrl.account,
        CONTACT_EMAIL: 'hello@gpu-observatory.example',
        ...internal,
        RATE_LIMITS: String(rateLimits),
      },
    },
    operations: {
      fleet: { ...operations('fleet'), IMPORTER_DATABASE_URL: urls.importer },
      account: { ...operations('account'), OPERATOR: 'local-stack' },
      website: operations('website'),
    },
  };
}
