import type { SiteConfig } from '../../config/site.config.ts';
import type { ContentSnapshot } from '../../posts/content-snapshot.ts';
import type { PostRow } from '../../posts/posts.queries.ts';
import { type PublicService, publicServices } from '../../site/services.ts';
import { type SiteIdentity, siteIdentity } from '../../site/site-identity.ts';
import type { Resource } from '../../site/resources.ts';

export type GpuHealth = 'healthy' | 'degraded' | 'critical' | 'missing';

/** What the home page says, once for both of its forms. */
export interface HomeContent {
  identity: SiteIdentity;
  headline: string;
  /** What each health of a GPU means (contract, section 2.5). */
  healthStates: { health: GpuHealth; meaning: string }[];
  /** Newest first. */
  newestPosts: PostRow[];
  services: PublicService[];
  signIn: string;
  firstCall: string;
  forMachines: Resource[];
}

const NEWEST_POSTS = 3;

/** @param snapshot undefined while no content was ever read */
export function homeContent(config: SiteConfig, snapshot: ContentSnapshot | undefined): HomeContent {
  const { siteUrl, fleetUrl, accountUrl } = config;
  return {
    identity: siteIdentity(config),
    headline: 'Know what every GPU is doing, and what is being done to it.',
    healthStates: [
      { health: 'healthy', meaning: 'reporting, and none of the other three' },
      { health: 'degraded', meaning: 'an early warning: remapped memory, heavy throttling, link errors' },
      {
        health: 'critical',
        meaning: 'needs a reset or a hand: uncorrectable errors, near its shutdown heat',
      },
      { health: 'missing', meaning: 'has stopped reporting' },
    ],
    newestPosts: snapshot?.posts.slice(0, NEWEST_POSTS) ?? [],
    services: publicServices(config),
    signIn:
      `Open ${accountUrl}/api/v1/auth/github (or /auth/google) with your frontend_url in a browser, ` +
      'exchange the code it brings back for an access token at POST /auth/token, then:',
    firstCall: `curl "${fleetUrl}/api/v1/gpus?view=basic" \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`,
    forMachines: [
      { title: '/llms.txt', url: `${siteUrl}/llms.txt`, description: 'where to find what, for agents' },
      {
        title: '/index.md',
        url: `${siteUrl}/index.md`,
        description: 'this page in markdown, also by Accept: text/markdown',
      },
      {
        title: '/openapi.json',
        url: `${siteUrl}/openapi.json`,
        description: 'the contract of the website API',
      },
      {
        title: '/api/site',
        url: `${siteUrl}/api/site`,
        description: 'name, contact and when to use the service',
      },
    ],
  };
}
