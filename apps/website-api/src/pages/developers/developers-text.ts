import {
  accountFailures,
  fleetFailures,
  type FailureKind,
  websiteFailures,
} from '@gpu-observatory/error-envelopes';
import type { SiteConfig } from '../../config/site.config.ts';
import { publicServices } from '../../site/services.ts';
import type { ProsePage } from '../prose-page.ts';

/** What the page for developers says: from nothing to the first answers, then what there is to look up. */
export function developersText(config: SiteConfig): ProsePage {
  return {
    path: '/developers',
    title: 'Developers',
    lead:
      'From nothing to your first alerts and GPUs in three requests; then errors, limits, the OpenAPI documents ' +
      'and what there is for agents.',
    body: [hostnames, token, firstCalls, lists, errors, limits, documents, agents]
      .map((section) => section(config).trim())
      .join('\n\n')
      .concat('\n'),
  };
}

function hostnames(config: SiteConfig): string {
  const rows = publicServices(config).map(
    ({ name, apiUrl, purpose, access }) => `| ${name} | \`${apiUrl}\` | ${purpose} | ${access} |`,
  );
  return `## Three hostnames

| Service | Base URL | What it is for | Access |
|---|---|---|---|
${rows.join('\n')}

Paths answer with and without a trailing slash. Timestamps are RFC 3339 in UTC.`;
}

function token({ accountUrl }: SiteConfig): string {
  return `## Get a token

People sign in with GitHub or Google, and only those whose mail domain belongs to an active customer.

1. Open this address in a browser, with a \`frontend_url\` that is on the service’s list:

   \`\`\`text
   ${accountUrl}/api/v1/auth/github?frontend_url=https://your-frontend.example
   \`\`\`

   For Google it is \`/auth/google\`; [\`/auth/methods\`](${accountUrl}/api/v1/auth/methods) lists what is enabled.
   After the prompt the browser comes back to \`<frontend_url>/auth/callback?code=…\`.

2. Exchange the code. It works once, within about 60 seconds, and \`redirect_uri\` has to be the same \`frontend_url\`;
   a failed attempt burns it. Without the \`Accept\` header the session comes as cookies instead.

   \`\`\`sh
   curl -X POST ${accountUrl}/api/v1/auth/token \\
     -H 'Content-Type: application/json' -H 'Accept: application/json' \\
     -d '{"code": "AUTH_CODE", "redirect_uri": "https://your-frontend.example"}'
   \`\`\`

   \`\`\`json
   {
     "access_token": "eyJhbGciOiJFUzI1NiIs…",
     "refresh_token": "…",
     "token_type": "Bearer",
     "expires_in": 21600
   }
   \`\`\`

3. Send \`Authorization: Bearer ACCESS_TOKEN\` with every call to the fleet data API and the account service. After six
   hours, get another one; the refresh token stays the same, and the session ends 24 hours after sign-in.

   \`\`\`sh
   curl -X POST ${accountUrl}/api/v1/auth/refresh \\
     -H 'Content-Type: application/json' -H 'Accept: application/json' \\
     -d '{"refresh_token": "REFRESH_TOKEN"}'
   \`\`\``;
}

function firstCalls({ fleetUrl, accountUrl, siteUrl }: SiteConfig): string {
  return `## First calls

The newest critical and high alerts that are still active:

\`\`\`sh
curl -G ${fleetUrl}/api/v1/alerts/ -H "Authorization: Bearer $ACCESS_TOKEN" \\
  --data-urlencode 'filter[severity][in]=critical,high' \\
  --data-urlencode 'filter[state][equals]=active' \\
  --data-urlencode 'page_size=50'
\`\`\`

Every GPU with its health, and one of them with the evidence:

\`\`\`sh
curl "${fleetUrl}/api/v1/gpus?view=basic" -H "Authorization: Bearer $ACCESS_TOKEN"
curl "${fleetUrl}/api/v1/gpus/GPU_ID" -H "Authorization: Bearer $ACCESS_TOKEN"
\`\`\`

| Request | Answer |
|---|---|
| \`GET /alerts/\` | alerts, newest first, in pages |
| \`GET /alerts:summary\` | counts by severity, type and state |
| \`GET /alerts:severityTrend\` | counts by severity over time |
| \`GET /alerts/{id}\`, \`GET /alerts/{id}/timeline\` | one alert, and what happened around it |
| \`GET /gpus\`, \`GET /gpus/{id}\` | the fleet, and one GPU |
| \`GET /metrics\` | metrics of the whole fleet, by default over 90 days |

The website API needs no token:

\`\`\`sh
curl "${siteUrl}/api/posts?limit=5"
\`\`\`

API keys are for the agent on a machine, not for these calls. Make one in a workspace that you own or are a member of;
its secret is shown once:

\`\`\`sh
curl -X POST ${accountUrl}/api/v1/keys/ -H "Authorization: Bearer $ACCESS_TOKEN" \\
  -H 'Content-Type: application/json' -d '{"name": "rack 12", "workspace_id": 1}'
\`\`\``;
}

function lists(): string {
  return `## Filters, sorting and pages

- Filters look like \`filter[field][operator]=value\` and combine with AND. \`severity\`, \`type\` and \`state\` take
  \`in\`, \`notIn\`, \`equals\` and \`notEquals\`; \`hostname\`, \`title\` and \`description\` take \`contains\`, \`notContains\`,
  \`startsWith\`, \`endsWith\`, \`equals\` and \`notEquals\`; \`timestamp\` takes \`gte\` and \`lte\`.
- \`sort\` is \`timestamp\`, \`severity\`, \`type\`, \`state\` or \`hostname\`, with a \`-\` before it the other way round; the
  default is \`-timestamp\`.
- \`from\` (inclusive) and \`to\` (exclusive) bound the time; \`customer_id\`, \`workspace_id\` and \`api_key_id\` narrow the
  scope.
- While an answer has a \`next_page_token\`, send it as \`page_token\` with the same filters and sorting. A walk neither
  repeats nor skips an alert, whatever changes meanwhile. \`total_size\` comes with the first page only.
- A parameter that is not known is refused, so that a misspelt filter never passes for none.`;
}

function errors(config: SiteConfig): string {
  const section = (name: string, shape: string, failures: Record<string, FailureKind>) => {
    const rows = Object.values(failures).map(({ code, status }) => `| ${status} | \`${code}\` |`);
    return `### ${name}\n\n\`\`\`json\n${shape}\n\`\`\`\n\n| Status | Name |\n|---|---|\n${rows.join('\n')}`;
  };
  const [fleet = '', account = '', website = ''] = publicServices(config).map(({ name }) => name);
  return `## Errors

Each service has one shape for all of its errors. Decide by the status and the name; the message is for people, names
what is wrong and says what would be right. With a 429 and a 503, \`Retry-After\` says when to come again. Every answer
has an \`X-Request-Id\`: tell it when you ask us about one.

${section(fleet, '{ "error": "invalid_query", "message": "…" }', fleetFailures)}

${section(account, '{ "title": "Invalid Code", "detail": "…" }', accountFailures)}

${section(website, '{ "type": "about:blank", "title": "Bad Request", "status": 400, "detail": "…" }', websiteFailures)}

The website’s errors are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). A path of it that does
not exist is a 404 with a site map in markdown.`;
}

function limits(): string {
  return `## Limits

| What | Limit |
|---|---|
| Alerts a page | 1000, at most 10000 |
| Authorization code | about 60 seconds, once |
| Access token | 6 hours |
| Refresh token | 24 hours, not extended by use |
| Posts a page of the website API | 20, at most 100 |
| Request body | 64 KiB, JSON nested at most 32 deep |
| Headers of a request | 16 KiB |
| Time for a request to arrive | 15 seconds |

Sign-in, code exchange, refresh, key writes and contact requests are limited in number too; the \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` headers say how many are left.

Poll with \`If-None-Match\`: an answer that has not changed is a 304 without a body.`;
}

function documents(config: SiteConfig): string {
  const rows = publicServices(config).map(
    ({ name, openApiUrl, referenceUrl }) =>
      `| ${name} | [OpenAPI](${openApiUrl}) | [Reference](${referenceUrl}) |`,
  );
  return `## OpenAPI documents

OpenAPI 3.1, to generate clients from, and the same as pages:

| Service | Document | Page |
|---|---|---|
${rows.join('\n')}`;
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
