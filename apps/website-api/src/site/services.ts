import type { SiteConfig } from '../config/site.config.ts';

/** One of the three hostnames that the service answers on (contract, section 1). */
export interface PublicService {
  name: string;
  /** Its address without a path. */
  url: string;
  /** What its paths in the contract are relative to. */
  apiUrl: string;
  purpose: string;
  access: string;
  openApiUrl: string;
  /** The OpenAPI document as a page for people. */
  referenceUrl: string;
}

/** The three hostnames, in the order a newcomer meets them. */
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
      purpose: 'Sign-in with GitHub or Google, session tokens, workspaces and API keys for agents.',
      access: 'Sign-in; then the same bearer token',
    },
    {
      name: 'Website API',
      ...addresses(siteUrl, '/api'),
      purpose: 'What this site says, as JSON.',
      access: 'Open to everyone',
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
