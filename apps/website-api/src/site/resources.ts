import type { SiteConfig } from '../config/site.config.ts';
import { publicServices } from './services.ts';

/** Something a reader can fetch. */
export interface Resource {
  title: string;
  /** Absolute, so that it still leads here after the text was copied elsewhere. */
  url: string;
  description: string;
}

export interface ResourceGroup {
  title: string;
  resources: Resource[];
}

/** Everything that can be fetched, in groups: the one list behind the site map and the index for agents. */
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
          description: 'what the service is and where it answers',
        },
        { title: 'Research', url: `${siteUrl}/blog.md`, description: 'every post, newest first' },
        {
          title: 'Developers',
          url: `${siteUrl}/developers.md`,
          description: 'getting a token, first calls, errors, limits, OpenAPI documents',
        },
        { title: 'Contact', url: `${siteUrl}/contact.md`, description: 'how to reach people' },
        { title: 'Guide', url: docsUrl, description: 'how to work with the service, for people' },
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
        { title: 'Index', url: `${siteUrl}/llms.txt`, description: 'these resources with their context' },
        {
          title: 'Everything in one file',
          url: `${siteUrl}/llms-full.txt`,
          description: 'the whole text of all pages and posts',
        },
        {
          title: 'Feed',
          url: `${siteUrl}/feed.xml`,
          description: 'the posts as RSS 2.0, with their whole text',
        },
        { title: 'Sitemap', url: `${siteUrl}/sitemap.xml`, description: 'every page' },
      ],
    },
    {
      title: 'Website API, open to everyone',
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
          description: 'with their posts counted, as JSON',
        },
        { title: 'Tags', url: `${siteUrl}/api/tags`, description: 'with their posts counted, as JSON' },
        {
          title: 'OpenAPI document',
          url: `${siteUrl}/openapi.json`,
          description: 'the contract of the website API, OpenAPI 3.1',
        },
        { title: 'API reference', url: `${siteUrl}/docs`, description: 'that document as a page' },
      ],
    },
    ...otherServices.map(({ name, url, apiUrl, purpose, access, openApiUrl, referenceUrl }) => ({
      title: `${name} at ${url}`,
      resources: [
        { title: 'Base URL', url: apiUrl, description: `${purpose} Access: ${access.toLowerCase()}.` },
        { title: 'OpenAPI document', url: openApiUrl, description: 'its contract, OpenAPI 3.1' },
        { title: 'API reference', url: referenceUrl, description: 'that document as a page' },
      ],
    })),
  ];
}

/** The groups as markdown sections, one link a line. */
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
