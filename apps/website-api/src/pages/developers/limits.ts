/** Lists the limits of all services. */
export function limits(): string {
  return `## Limits

| Limit | Value |
|---|---|
| Alerts per page | default 1000, maximum 10000 |
| GPUs per response | default all; \`page_size\` up to 100000 |
| Time range of metrics | default last 90 days; else \`from\` and \`to\` |
| Posts per page of the website API | default 20, maximum 100 |
| Authorization code lifetime | about 60 seconds, single use |
| Access token lifetime | 6 hours |
| Refresh token lifetime | 24 hours, not extended by use |
| Page token lifetime | 24 hours |
| Request body | 64 KiB, JSON depth 32 |
| Request headers | 16 KiB |
| Time to receive a request | 15 seconds |

Sign-in, code exchange, refresh, key writes and contact requests are rate limited. The headers \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` state the remaining requests. Reads are not rate limited, but the fleet data
API limits the concurrent reads of each customer. A request above a limit gets 429 and has no effect.

Poll with \`If-None-Match\`: an unchanged response is 304 without a body.`;
}
