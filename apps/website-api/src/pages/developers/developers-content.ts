import type { SiteConfig } from '../../config/site.config.ts';
import { MAX_RECENT_POSTS } from '../../posts/content-snapshot.ts';
import { publicServices } from '../../site/services.ts';
import type { ProsePage } from '../prose-page.tsx';
import { errors } from './errors.ts';
import { filtersAndPages, firstCalls } from './first-calls.ts';
import { limits } from './limits.ts';
import { tokenSection } from './token-section.ts';

/** The text of the developers page: a tutorial of the first calls, then reference sections. */
export function developersContent(config: SiteConfig): ProsePage {
  return {
    path: '/developers',
    title: 'Developers',
    lead:
      'Get a token and read your first alerts and GPUs in three requests. Then: errors, limits, OpenAPI documents ' +
      'and resources for agents.',
    body: [hostnames, tokenSection, firstCalls, filtersAndPages, errors, limits, documents, agents]
      .map((section) => section(config).trim())
      .join('\n\n')
      .concat('\n'),
  };
}

function hostnames(config: SiteConfig): string {
  const services = publicServices(config).map(
    ({ name, apiUrl, purpose, access }) =>
      `- **${name}**, at \`${apiUrl}\`. ${purpose} Access: ${access.toLowerCase()}.`,
  );
  return `## Three hostnames

${services.join('\n')}

A trailing slash in a path is optional. Timestamps are RFC 3339 in UTC.`;
}

function documents(config: SiteConfig): string {
  const rows = publicServices(config).map(
    ({ name, openApiUrl, referenceUrl }) =>
      `| ${name} | [OpenAPI](${openApiUrl}) | [Reference](${referenceUrl}) |`,
  );
  return `## OpenAPI documents

Each API is described by an OpenAPI 3.1 document and a reference page. Within a version, fields are only added; existing
fields keep their names and types.

| Service | Document | Page |
|---|---|---|
${rows.join('\n')}

Generators create clients from these documents. A TypeScript example with types for all paths, parameters and fields:

\`\`\`sh
npm install openapi-fetch
npx openapi-typescript ${config.siteUrl}/openapi.json -o website.ts
\`\`\`

\`\`\`ts
import createClient from 'openapi-fetch';
import type { paths } from './website.ts';

const website = createClient<paths>({ baseUrl: '${config.siteUrl}' });
const query = { tag: 'xid' };
const { data } = await website.GET('/api/posts', { params: { query } });
console.log(data?.posts.map(({ title }) => title));
\`\`\``;
}

function agents({ siteUrl }: SiteConfig): string {
  return `## For agents

| Resource | Content |
|---|---|
| [/agents.md](${siteUrl}/agents.md) | instructions for agents that call the service |
| [/llms.txt](${siteUrl}/llms.txt) | index of all pages and documents |
| [/llms-full.txt](${siteUrl}/llms-full.txt) | full text of all pages and posts |
| [/openapi.json](${siteUrl}/openapi.json) | description of the website API |
| [/sitemap.xml](${siteUrl}/sitemap.xml) | list of all pages |
| [/feed.xml](${siteUrl}/feed.xml) | the newest ${MAX_RECENT_POSTS} posts with their full text, as RSS |

To read a page as markdown, append \`.md\` to its URL or send \`Accept: text/markdown\`. The markdown home page is
\`/index.md\`.`;
}
