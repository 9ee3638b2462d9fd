import {
  accountErrors,
  type ErrorKind,
  fleetErrors,
  websiteErrors,
} from '@gpu-observatory/service-runtime/process';
import type { SiteConfig } from '../../config/site.config.ts';
import { publicServices } from '../../site/services.ts';

const RETRY_LATER = 'wait for the time in `Retry-After`, then retry';
const CORRECT_REQUEST = 'correct the request as the message states';
const NEW_TOKEN = 'refresh the access token; if that fails with 401, sign in again';
const SEND_JSON = 'send `Content-Type: application/json`';
const SEND_LESS = 'send less than 64 KiB';

/** Advice on errors of every service. */
const COMMON = {
  requestTimeout: 'retry; if the error persists, check the connection of the client',
  expectationFailed: 'omit the header `Expect`',
  headersTooLarge: 'shorten the query or the headers to 16 KiB in total',
  internalServerError: 'retry once; if the error persists, report the `X-Request-Id`',
};

/** Advice for API clients by error. The type requires an entry for each error in the catalog. */
const fleetRemedies: Record<keyof typeof fleetErrors, string> = {
  ...COMMON,
  unauthorized: NEW_TOKEN,
  invalidQuery: CORRECT_REQUEST,
  invalidCursor: 'restart at the first page, and send the same parameters for every page',
  notFound: 'use an id from a list; ids outside your access return 404 too',
  tooManyRequests: 'send fewer concurrent requests',
  upstreamError: RETRY_LATER,
};

const accountRemedies: Record<keyof typeof accountErrors, string> = {
  ...COMMON,
  invalidRequest: CORRECT_REQUEST,
  invalidFrontendUrl: 'send an allowed URL exactly, or ask the operator to allow it',
  unauthorized: NEW_TOKEN,
  invalidCode: 'sign in again, and send the same URL in both steps',
  invalidRefreshToken: 'sign in again',
  domainNotAllowed: 'sign in with the account of your organization',
  googleWorkspaceRequired: 'sign in with the Google Workspace account of your organization',
  forbidden: 'ask an owner of the workspace for access',
  notFound: 'use an id from a list',
  conflict: 'read the current state, then decide whether to retry',
  payloadTooLarge: SEND_LESS,
  unsupportedMediaType: SEND_JSON,
  tooManyRequests: RETRY_LATER,
  serviceUnavailable: RETRY_LATER,
};

const websiteRemedies: Record<keyof typeof websiteErrors, string> = {
  ...COMMON,
  badRequest: CORRECT_REQUEST,
  unauthorized: 'check the key in `x-api-key`',
  forbidden: 'ask the operator to grant the key the scope `contact:write`',
  notFound: 'use a slug from `GET /api/posts`',
  conflict: 'use a new `Idempotency-Key` for a new request',
  contentTooLarge: SEND_LESS,
  unsupportedMediaType: SEND_JSON,
  tooManyRequests: RETRY_LATER,
  serviceUnavailable: RETRY_LATER,
};

/** Lists all errors of each service with advice. */
export function errors(config: SiteConfig): string {
  const [fleet = '', account = '', website = ''] = publicServices(config).map(({ name }) => name);
  return `## Errors

All errors of a service have the same shape. Programs should check the status and the name. The message is for people:
it states what is wrong and what is accepted. 429, 502 and 503 carry \`Retry-After\`. Every response has an
\`X-Request-Id\`: include it when you report a problem.

${section(fleet, '{ "error": "invalid_query", "message": "…" }', fleetErrors, fleetRemedies)}

${section(account, '{ "title": "Invalid Code", "detail": "…" }', accountErrors, accountRemedies)}

${section(website, '{ "type": "about:blank", "title": "Bad Request", "status": 400, "detail": "…" }', websiteErrors, websiteRemedies)}

The errors of the website API are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). An unknown path
of the site returns 404 with a site map in markdown.`;
}

function section<Name extends string>(
  service: string,
  shape: string,
  failures: Record<Name, ErrorKind>,
  remedies: Record<Name, string>,
): string {
  const rows = (Object.entries(failures) as [Name, ErrorKind][]).map(
    ([name, { code, status }]) => `| ${status} | \`${code}\` | ${remedies[name]} |`,
  );
  return `### ${service}\n\n\`\`\`json\n${shape}\n\`\`\`\n\n| Status | Name | Action |\n|---|---|---|\n${rows.join('\n')}`;
}
