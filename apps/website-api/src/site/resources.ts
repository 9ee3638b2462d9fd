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

export interface ResourceGroup {
  title: string;
  resources: Resource[];
}

/** Returns all public pages and documents in groups, for `/llms.txt` and the body of a 404. */
export function siteResources(config: SiteConfig): ResourceGroup[] {
  const { siteUrl, docsUrl } = config;
  const otherServices = publicServices(config).filter(({ url }) => url !== siteUrl);
  return [
    {
      title: 'This site',
      resources: [
        {
          title: 'Home',
          url: `${siteUrl}/index.md`,
          description: 'what the service is and its base URLs',
        },
        { title: 'Research', url: `${siteUrl}/blog.md`, description: 'every post, newest first' },
        {
          title: 'Developers',
          url: `${siteUrl}/developers.md`,
          description: 'how to get a token, first calls, errors, limits, OpenAPI documents',
        },
        { title: 'Contact', url: `${siteUrl}/contact.md`, description: 'email address and contact form' },
        // The developers page is the guide of a deployment without another one.
        ...(docsUrl === `${siteUrl}/developers`
          ? []
          : [{ title: 'Guide', url: docsUrl, description: 'user guide for people' }]),
      ],
    },
    {
      title: 'For agents and feed readers',
      resources: [
        {
          title: 'Guidance for agents',
          url: `${siteUrl}/agents.md`,
          description: 'when and how to call the service',
        },
        { title: 'Index', url: `${siteUrl}/llms.txt`, description: 'this list with context, for agents' },
        {
          title: 'Everything in one file',
          url: `${siteUrl}/llms-full.txt`,
          description: 'the full text of all pages and posts',
        },
        {
          title: 'Feed',
          url: `${siteUrl}/feed.xml`,
          description: `the newest ${MAX_RECENT_POSTS} posts with their full text, as RSS 2.0`,
        },
        { title: 'Sitemap', url: `${siteUrl}/sitemap.xml`, description: 'every page' },
      ],
    },
    {
      title: 'Website API, no credentials needed',
      resources: [
        {
          title: 'Site identity',
          url: `${siteUrl}/api/site`,
          description: 'name, description, contact and when to use the service, as JSON',
        },
        {
          title: 'Posts',
          url: `${siteUrl}/api/posts`,
          description: 'published posts, newest first, as JSON',
        },
        {
          title: 'Categories',
          url: `${siteUrl}/api/categories`,
          description: 'with their number of posts, as JSON',
        },
        { title: 'Tags', url: `${siteUrl}/api/tags`, description: 'with their number of posts, as JSON' },
        {
          title: 'OpenAPI document',
          url: `${siteUrl}/openapi.json`,
          description: 'description of the website API, OpenAPI 3.1',
        },
        {
          title: 'API reference',
          url: `${siteUrl}/docs.md`,
          description: 'operations of the website API with parameters, fields and examples',
        },
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
