/** What is refused for being too much. */
export function limits(): string {
  return `## Limits

| What | Limit |
|---|---|
| Alerts a page | 1000, at most 10000 |
| GPUs an answer | all of them, or \`page_size\`, at most 100000 |
| Window of the metrics | the last 90 days, or \`from\` and \`to\` |
| Posts a page of the website API | 20, at most 100 |
| Authorization code | about 60 seconds, once |
| Access token | 6 hours |
| Refresh token | 24 hours, not extended by use |
| A walk through pages | 24 hours |
| Request body | 64 KiB, JSON nested at most 32 deep |
| Headers of a request | 16 KiB |
| Time for a request to arrive | 15 seconds |

Sign-in, code exchange, refresh, key writes and contact requests are limited in number too; the \`RateLimit-Limit\`,
\`RateLimit-Remaining\` and \`RateLimit-Reset\` headers say how many are left. Reading is not counted, but one customer
does not get more than its share of the fleet data API at once. Past a limit the answer is 429, and nothing was consumed.

Poll with \`If-None-Match\`: an answer that has not changed is a 304 without a body.`;
}
