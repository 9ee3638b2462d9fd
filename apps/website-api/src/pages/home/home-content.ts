import type { GpuHealth } from '@gpu-observatory/domain-types';
import type { SiteConfig } from '../../config/site.config.ts';
import type { ContentSnapshot } from '../../posts/content-snapshot.ts';
import { publicServices } from '../../site/services.ts';
import { siteIdentity } from '../../site/site-identity.ts';

/** Content of the home page, shared by HTML and markdown. */
export type HomeContent = ReturnType<typeof homeContent>;

/** Meaning of each GPU health state, see docs/gpu-health.md. */
const HEALTH_STATES: { health: GpuHealth; meaning: string }[] = [
  { health: 'healthy', meaning: 'reporting, with no sign of a problem' },
  {
    health: 'degraded',
    meaning: 'early warning, such as remapped memory, heavy throttling or link errors',
  },
  {
    health: 'critical',
    meaning: 'needs a reset or repair, such as uncorrectable errors or a temperature near shutdown',
  },
  { health: 'missing', meaning: 'has stopped reporting' },
];
const NEWEST_POSTS = 3;

/** @param snapshot undefined before the first load of the content */
export function homeContent(config: SiteConfig, snapshot: ContentSnapshot | undefined) {
  const { siteUrl, fleetUrl, accountUrl, signInUrl } = config;
  return {
    identity: siteIdentity(config),
    headline: 'Health and security of every GPU in your fleet.',
    healthStates: HEALTH_STATES,
    /** Newest first. */
    newestPosts: snapshot?.posts.slice(0, NEWEST_POSTS) ?? [],
    services: publicServices(config),
    /** URL of the console; undefined if the deployment has none. */
    signInUrl,
    signIn:
      `Open ${accountUrl}/api/v1/auth/github (or /auth/google) with your frontend_url in a browser, ` +
      'exchange the returned code for an access token at POST /auth/token, then call:',
    firstCall: `curl "${fleetUrl}/api/v1/gpus?view=basic" \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`,
    machineResources: [
      { path: '/llms.txt', description: 'index for agents' },
      { path: '/index.md', description: 'this page as markdown, also with Accept: text/markdown' },
      { path: '/openapi.json', description: 'description of the website API' },
      { path: '/api/site', description: 'name, contact and use cases' },
    ].map(({ path, description }) => ({ title: path, url: siteUrl + path, description })),
  };
}
