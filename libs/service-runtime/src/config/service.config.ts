import { setting, type SettingValues } from './settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Settings of every service. Each service adds its own. */
export const serviceSettings = {
  HOST: setting.text('the address to listen on (default 0.0.0.0)').default('0.0.0.0'),
  PORT: setting.port('the public port', 8080),
  MANAGEMENT_PORT: setting.port('the port of /livez, /readyz and /metrics; keep it off the ingress', 9090),
  TRUSTED_PROXIES: setting.cidrs('proxies whose X-Forwarded-For is trusted'),
  ALLOWED_ORIGINS: setting.origins('browser origins that may send credentials'),
  LOG_LEVEL: setting.oneOf(LOG_LEVELS, 'info'),
  DATABASE_URL: setting.postgresUrl("the URL of the service's runtime role"),
  DATABASE_POOL_SIZE: setting.integer('database connections of this process', {
    min: 1,
    max: 200,
    defaultValue: 10,
  }),
  DATABASE_NAMED_STATEMENTS: setting.flag(
    'whether to prepare statements; false with PgBouncer before 1.21',
    'true',
  ),
  RESPONSE_COMPRESSION: setting.flag('whether to compress responses', 'true'),
  SITE_URL: setting
    .httpUrl('the public URL of the website, to which the header of the API reference links')
    .optional(),
  SHUTDOWN_DRAIN_SECONDS: setting.integer('time between failing readiness and closing', {
    min: 0,
    max: 10,
    defaultValue: 5,
  }),
};

/** Settings of the operations commands. */
export const operationsSettings = {
  OWNER_DATABASE_URL: setting.postgresUrl("the URL of the schema's owner role, for the operations commands"),
};

export type ServiceConfig = ReturnType<typeof serviceConfig>;

export function serviceConfig(settings: SettingValues<typeof serviceSettings>) {
  return {
    host: settings.HOST,
    port: settings.PORT,
    managementPort: settings.MANAGEMENT_PORT,
    trustedProxies: settings.TRUSTED_PROXIES,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    logLevel: settings.LOG_LEVEL as string,
    /** Whether bodies are sent in a coding that the client accepts. */
    compressesResponses: settings.RESPONSE_COMPRESSION,
    database: {
      url: settings.DATABASE_URL,
      poolSize: settings.DATABASE_POOL_SIZE,
      namedStatements: settings.DATABASE_NAMED_STATEMENTS,
    },
    /** Without it, the API reference has no links to the website. */
    siteUrl: settings.SITE_URL,
    drainSeconds: settings.SHUTDOWN_DRAIN_SECONDS,
  };
}
