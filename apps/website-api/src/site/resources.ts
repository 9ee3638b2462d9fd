import type { SiteConfig } from '../config/site.config.ts';
import { MAX_RECENT_POSTS } from '../posts/content-snapshot.ts';
import { publicServices } from './services.ts';

/** A link to a page or document. */
export interface Resource {
  title: string;
  /** Absolute, so that the link works in a copy of the text. */
  url: string;
  description: string;
}

interface ResourceGroup {
  title: string;
  resources: Resource[];
}

/** Returns all public pages and documents in groups, for `/llms.txt` and the body of a 404. */
export function siteResources(config: SiteConfig): ResourceGroup[] {
  const { siteUrl, docsUrl } = config;
  const own = (title: string, path: string, description: string): Resource => ({
    title,
    url: siteUrl + path,
    description,
  });
  const otherServices = publicServices(config).filter(({ url }) => url !== siteUrl);
  return [
    {
      title: 'This site',
      resources: [
        own('Home', '/index.md', 'what the service is and its base URLs'),
        own('Research', '/blog.md', 'every post, newest first'),
        own(
          'Developers',
          '/developers.md',
          'how to get a token, first calls, errors, limits, OpenAPI documents',
        ),
        own('Contact', '/contact.md', 'email address and contact form'),
        // The developers page is the guide of a deployment without another one.
        ...(docsUrl === `${siteUrl}/developers`
          ? []
          : [{ title: 'Guide', url: docsUrl, description: 'user guide for people' }]),
      ],
    },
    {
      title: 'For agents and feed readers',
      resources: [
        own('Guidance for agents', '/agents.md', 'when and how to call the service'),
        own('Index', '/llms.txt', 'this list with context, for agents'),
        own('Everything in one file', '/llms-full.txt', 'the full text of all pages and posts'),
        own('Feed', '/feed.xml', `the newest ${MAX_RECENT_POSTS} posts with their full text, as RSS 2.0`),
        own('Sitemap', '/sitemap.xml', 'every page'),
      ],
    },
    {
      title: 'Website API, no credentials needed',
      resources: [
        own('Site identity', '/api/site', 'name, description, contact and when to use the service, as JSON'),
        own('Posts', '/api/posts', 'published posts, newest first, as JSON'),
        own('Categories', '/api/categories', 'with their number of posts, as JSON'),
        own('Tags', '/api/tags', 'with their number of posts, as JSON'),
        own('OpenAPI document', '/openapi.json', 'description of the website API, OpenAPI 3.1'),
        own(
          'API reference',
          '/docs.md',
          'operations of the website API with parameters, fields and examples',
        ),
      ],
    },
    ...otherServices.map(({ name, purpose, access, openApiUrl, referenceUrl }) => ({
      title: name,
      resources: [
        {
          title: 'API reference',
          url: `${referenceUrl}.md`,
          description: `${purpose} Access: ${access.toLowerCase()}.`,
        },
        { title: 'OpenAPI document', url: openApiUrl, description: 'description of the API, OpenAPI 3.1' },
      ],
    })),
  ];
}

/** Renders each group as a markdown section with one link per line. */
export function resourcesAsMarkdown(groups: ResourceGroup[]): string {
  return groups
    .map(({ title, resources }) => {
      const links = resources.map(
        (resource) => `- [${resource.title}](${resource.url}): ${resource.description}`,
      );
      return `## ${title}\n\n${links.join('\n')}\n`;
    })
    .join('\n');
}
