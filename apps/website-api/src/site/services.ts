import type { SiteConfig } from '../config/site.config.ts';

/** Returns the public services, each on its own hostname: fleet data API, account service and website API, in this order. */
export function publicServices({ fleetUrl, accountUrl, siteUrl }: SiteConfig) {
  return [
    {
      name: 'Fleet data API',
      ...addresses(fleetUrl, '/api/v1'),
      purpose: 'Security alerts, every GPU with its health, and fleet-wide metrics. Read-only JSON.',
      access: 'Bearer token',
    },
    {
      name: 'Account service',
      ...addresses(accountUrl, '/api/v1'),
      purpose:
        'Sign-in with GitHub or Google, session tokens, workspaces and API keys for agents and programs.',
      access: 'Sign-in, then the same bearer token',
    },
    {
      name: 'Website API',
      ...addresses(siteUrl, '/api'),
      purpose: 'The content of this site as JSON.',
      access: 'No credentials',
    },
  ];
}

function addresses(url: string, basePath: string) {
  return {
    /** Origin, without a path. */
    url,
    /** Base URL of the API paths. */
    apiUrl: `${url}${basePath}`,
    openApiUrl: `${url}/openapi.json`,
    /** The OpenAPI document as a web page. */
    referenceUrl: `${url}/docs`,
  };
}
