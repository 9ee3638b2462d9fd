import { setting } from './settings.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What every service reads from its environment. A service adds its own concerns beside these. */
export const serviceSettings = {
  HOST: setting.text('the address to listen on (default 0.0.0.0)').default('0.0.0.0'),
  PORT: setting.port('the public port', 8080),
  MANAGEMENT_PORT: setting.port('the port of /livez, /readyz and /metrics, never on the ingress', 9090),
  TRUSTED_PROXIES: setting.cidrs('the proxies whose X-Forwarded-For counts'),
  ALLOWED_ORIGINS: setting.origins('browser origins that may call with credentials'),
  LOG_LEVEL: setting.oneOf(LOG_LEVELS, 'info'),
  DATABASE_URL: setting.postgresUrl("the service's runtime role on its database"),
  DATABASE_POOL_SIZE: setting.integer('connections of this process', { min: 1, max: 200, defaultValue: 10 }),
  DATABASE_NAMED_STATEMENTS: setting.flag('prepared statements; false behind PgBouncer before 1.21', 'true'),
  SHUTDOWN_DRAIN_SECONDS: setting.integer('how long to stay up, not ready, before closing', {
    min: 0,
    max: 10,
    defaultValue: 5,
  }),
};

/** What the operations commands read: the owner role migrates, an administrator makes roles once. */
export const operationsSettings = {
  OWNER_DATABASE_URL: setting.postgresUrl("the schema's owner role, for the operations commands"),
};

export interface ServiceConfig {
  host: string;
  port: number;
  managementPort: number;
  trustedProxies: string[];
  allowedOrigins: string[];
  logLevel: string;
  database: { url: string; poolSize: number; namedStatements: boolean };
  drainSeconds: number;
}

export function serviceConfig(settings: {
  HOST: string;
  PORT: number;
  MANAGEMENT_PORT: number;
  TRUSTED_PROXIES: string[];
  ALLOWED_ORIGINS: string[];
  LOG_LEVEL: string;
  DATABASE_URL: string;
  DATABASE_POOL_SIZE: number;
  DATABASE_NAMED_STATEMENTS: boolean;
  SHUTDOWN_DRAIN_SECONDS: number;
}): ServiceConfig {
  return {
    host: settings.HOST,
    port: settings.PORT,
    managementPort: settings.MANAGEMENT_PORT,
    trustedProxies: settings.TRUSTED_PROXIES,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    logLevel: settings.LOG_LEVEL,
    database: {
      url: settings.DATABASE_URL,
      poolSize: settings.DATABASE_POOL_SIZE,
      namedStatements: settings.DATABASE_NAMED_STATEMENTS,
    },
    drainSeconds: settings.SHUTDOWN_DRAIN_SECONDS,
  };
}
