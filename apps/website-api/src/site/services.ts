import type { SiteConfig } from '../config/site.config.ts';

/** One of the three public services, each on its own hostname. */
export interface PublicService {
  name: string;
  /** Origin, without a path. */
  url: string;
  /** Base URL of the API paths. */
  apiUrl: string;
  purpose: string;
  access: string;
  openApiUrl: string;
  /** The OpenAPI document as a web page. */
  referenceUrl: string;
}

/** Returns the fleet data API, the account service and the website API, in this order. */
export function publicServices({ fleetUrl, accountUrl, siteUrl }: SiteConfig): PublicService[] {
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
    url,
    apiUrl: `${url}${basePath}`,
    openApiUrl: `${url}/openapi.json`,
    referenceUrl: `${url}/docs`,
  };
}
