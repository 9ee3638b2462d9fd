import type { SiteConfig } from '../../config/site.config.ts';
import { publicServices } from '../../site/services.ts';
import type { ProsePage } from '../prose-page.ts';
import { errors } from './errors.ts';
import { filtersAndPages, firstCalls } from './first-calls.ts';
import { limits } from './limits.ts';
import { token } from './token.ts';

/** What the page for developers says: from nothing to the first answers, then what there is to look up. */
export function developersText(config: SiteConfig): ProsePage {
  return {
    path: '/developers',
    title: 'Developers',
    lead:
      'From nothing to your first alerts and GPUs in three requests; then errors, limits, the OpenAPI documents ' +
      'and what there is for agents.',
    body: [hostnames, token, firstCalls, filtersAndPages, errors, limits, documents, agents]
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

Paths answer with and without a trailing slash. Timestamps are RFC 3339 in UTC.`;
}

function documents(config: SiteConfig): string {
  const rows = publicServices(config).map(
    ({ name, openApiUrl, referenceUrl }) =>
      `| ${name} | [OpenAPI](${openApiUrl}) | [Reference](${referenceUrl}) |`,
  );
  return `## OpenAPI documents

OpenAPI 3.1, and the same as pages. They only grow: what is there stays, with its name and its type.

| Service | Document | Page |
|---|---|---|
${rows.join('\n')}

Any generator makes a client of them. In TypeScript, for example, with types for every path, parameter and field:

\`\`\`sh
npm install openapi-fetch
npx openapi-typescript ${config.siteUrl}/openapi.json -o website.ts
\`\`\`

\`\`\`ts
import createClient from 'openapi-fetch';
import type { paths } from './website.ts';

const website = createClient<paths>({ baseUrl: '${config.siteUrl}' });
const { data } = await website.GET('/api/posts', { params: { query: { limit: 5 } } });
console.log(data?.posts.map(({ title }) => title));
\`\`\``;
}

function agents({ siteUrl }: SiteConfig): string {
  return `## For agents

| Resource | What it is |
|---|---|
| [/agents.md](${siteUrl}/agents.md) | when and how an agent calls the service |
| [/llms.txt](${siteUrl}/llms.txt) | the index of everything there is to read |
| [/llms-full.txt](${siteUrl}/llms-full.txt) | the whole text of all pages and posts |
| [/openapi.json](${siteUrl}/openapi.json) | the contract of the website API |
| [/sitemap.xml](${siteUrl}/sitemap.xml) | every page |
| [/feed.xml](${siteUrl}/feed.xml) | the posts as RSS, with their whole text |

Every page is also markdown: append \`.md\` to its address (the home page’s is \`/index.md\`), or send
\`Accept: text/markdown\`.`;
}
