import type { SiteConfig } from '../../config/site.config.ts';

/** Example requests with their responses. */
export function firstCalls({ fleetUrl, accountUrl, siteUrl }: SiteConfig): string {
  return `## First calls

The newest active alerts of severity critical and high:

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

All GPUs with their health, and one GPU with the evidence for its health:

\`\`\`sh
auth="Authorization: Bearer $ACCESS_TOKEN"
curl "${fleetUrl}/api/v1/gpus?view=basic" -H "$auth"
curl "${fleetUrl}/api/v1/gpus/GPU_ID" -H "$auth"
\`\`\`

| Request | Response |
|---|---|
| \`GET /alerts/\` | alerts, newest first, paginated |
| \`GET /alerts:search\` | alerts that contain a text |
| \`GET /alerts:summary\` | counts by severity, type and state |
| \`GET /alerts:severityTrend\` | counts by severity over time |
| \`GET /alerts:groups\` | counts by host, workspace, GPU, day, type or severity |
| \`GET /alerts/{id}\`, \`GET /alerts/{id}/timeline\` | one alert, and its timeline |
| \`GET /gpus\`, \`GET /gpus/{id}\` | all GPUs, and one GPU |
| \`GET /gpu-status\`, \`GET /gpu-history/{id}\` | newest readings and means of all GPUs, and the history of one |
| \`GET /hosts\`, \`GET /hosts/{hostname}\` | all hosts, and one host |
| \`GET /xid-incidents\` | XIDs, newest first, or their counts |
| \`GET /fleet-usage\` | GPU hours by workspace, model or host |
| \`GET /metrics\` | metrics of the fleet, by default over the last 90 days |

\`null\` means unknown or not applicable, never zero. A GPU whose \`health\` is \`missing\` has stopped reporting and has
no current readings.

The website API needs no token:

\`\`\`sh
curl "${siteUrl}/api/posts?limit=5"
\`\`\`

An agent or a program uses an API key. To create one, you need the role owner or member in the workspace. The response
shows the secret once:

\`\`\`sh
curl -X POST ${accountUrl}/api/v1/keys/ \\
  -H "Authorization: Bearer $ACCESS_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name": "rack 12", "workspace_id": 1}'
\`\`\`

A program reads the fleet data API with a key that has the scope \`fleet:read\`, which an owner of the workspace grants. It
exchanges the id and the secret of the key for an access token of 15 minutes:

\`\`\`sh
curl -u "12:$API_KEY" -d grant_type=client_credentials ${accountUrl}/oauth/token
\`\`\``;
}

/** Filters, sorting and pagination of alert lists. */
export function filtersAndPages(): string {
  return `## Filters, sorting and pagination

- Filters look like \`filter[field][operator]=value\` and combine with AND. \`severity\`, \`type\` and \`state\` take
  \`in\`, \`notIn\`, \`equals\` and \`notEquals\`; \`hostname\`, \`title\` and \`description\` take \`contains\`, \`notContains\`,
  \`startsWith\`, \`endsWith\`, \`equals\` and \`notEquals\`; \`timestamp\` takes \`gte\` and \`lte\`.
- \`sort\` is \`timestamp\`, \`severity\`, \`type\`, \`state\` or \`hostname\`, with a \`-\` prefix for descending order. The
  default is \`-timestamp\`.
- \`from\` (inclusive) and \`to\` (exclusive) limit the time range. \`customer_id\`, \`workspace_id\` and \`api_key_id\` limit
  the scope.
- While a response has a \`next_page_token\`, send it as \`page_token\` with the same filters and sorting. Pagination is a
  snapshot: concurrent changes neither repeat nor skip an alert. Only the first page has \`total_size\`.
- Unknown parameters are rejected, so that a misspelled filter is not ignored silently.`;
}
