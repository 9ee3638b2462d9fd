import type { SiteConfig } from '../../config/site.config.ts';

/** What to ask first, with what comes back. */
export function firstCalls({ fleetUrl, accountUrl, siteUrl }: SiteConfig): string {
  return `## First calls

The newest critical and high alerts that are still active:

\`\`\`sh
curl -G ${fleetUrl}/api/v1/alerts/ \\
  -H "Authorization: Bearer $ACCESS_TOKEN" \\
  --data-urlencode 'filter[severity][in]=critical,high' \\
  --data-urlencode 'filter[state][equals]=active' \\
  --data-urlencode 'page_size=50'
\`\`\`

\`\`\`json
{
  "alerts": [
    {
      "id": "0199f1c2-7a64-7c11-9d0e-5a3f1f2b8c40",
      "title": "A container reached the host’s GPU driver",
      "type": "gpu_driver_access",
      "severity": "critical",
      "state": "active",
      "created_at": "2026-11-20T09:41:12.000Z",
      "hostname": "gpu-17",
      "…": "…"
    }
  ],
  "next_page_token": "…",
  "total_size": 318
}
\`\`\`

Every GPU with its health, and one of them with the evidence:

\`\`\`sh
auth="Authorization: Bearer $ACCESS_TOKEN"
curl "${fleetUrl}/api/v1/gpus?view=basic" -H "$auth"
curl "${fleetUrl}/api/v1/gpus/GPU_ID" -H "$auth"
\`\`\`

| Request | Answer |
|---|---|
| \`GET /alerts/\` | alerts, newest first, in pages |
| \`GET /alerts:summary\` | counts by severity, type and state |
| \`GET /alerts:severityTrend\` | counts by severity over time |
| \`GET /alerts/{id}\`, \`GET /alerts/{id}/timeline\` | one alert, and what happened around it |
| \`GET /gpus\`, \`GET /gpus/{id}\` | the fleet, and one GPU |
| \`GET /metrics\` | metrics of the whole fleet, by default over 90 days |

\`null\` means unknown or not applicable, never zero. A GPU whose \`health\` is \`missing\` has stopped reporting, and has
no current readings.

The website API needs no token:

\`\`\`sh
curl "${siteUrl}/api/posts?limit=5"
\`\`\`

API keys are for the agent on a machine, not for these calls. Make one in a workspace that you own or are a member of;
its secret is shown once:

\`\`\`sh
curl -X POST ${accountUrl}/api/v1/keys/ \\
  -H "Authorization: Bearer $ACCESS_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name": "rack 12", "workspace_id": 1}'
\`\`\``;
}

/** How to ask for some of it, and how to read all of it. */
export function filtersAndPages(): string {
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
