import { accountErrors, fleetErrors, type ErrorKind, websiteErrors } from '@gpu-observatory/error-envelopes';
import type { SiteConfig } from '../../config/site.config.ts';
import { publicServices } from '../../site/services.ts';

const AGAIN_LATER = 'wait as long as `Retry-After` says';
const REPORT = 'try once more; if it stays, tell us the `X-Request-Id`';
const READ_THE_MESSAGE = 'read the message, change the request';
const NEW_TOKEN = 'refresh the access token; when that is refused too, sign in again';

/** What a caller does about each failure; a service’s new one has to be told here too. */
const fleetRemedies: Record<keyof typeof fleetErrors, string> = {
  unauthorized: NEW_TOKEN,
  invalidQuery: READ_THE_MESSAGE,
  invalidCursor: 'begin again at the first page, with the same parameters on every page',
  notFound: 'take ids from a list; one that you may not see is not there either',
  tooManyRequests: 'ask fewer things at a time',
  upstreamError: AGAIN_LATER,
  internalServerError: REPORT,
};

const accountRemedies: Record<keyof typeof accountErrors, string> = {
  invalidRequest: READ_THE_MESSAGE,
  invalidFrontendUrl: 'send the URL exactly as it is on the list, or have it added',
  unauthorized: NEW_TOKEN,
  invalidCode: 'sign in again, with the same URL in both steps',
  invalidRefreshToken: 'sign in again',
  domainNotAllowed: 'sign in with the account of your organisation',
  forbidden: 'ask an owner of the workspace',
  notFound: 'take ids from a list',
  conflict: 'read what is there now, then decide anew',
  payloadTooLarge: 'send less than 64 KiB',
  unsupportedMediaType: 'send `Content-Type: application/json`',
  tooManyRequests: AGAIN_LATER,
  internalServerError: REPORT,
  serviceUnavailable: AGAIN_LATER,
};

const websiteRemedies: Record<keyof typeof websiteErrors, string> = {
  badRequest: READ_THE_MESSAGE,
  unauthorized: 'check the key in `x-api-key`',
  forbidden: 'have the key granted the scope `contact:write`',
  notFound: 'take slugs from `GET /api/posts`',
  conflict: 'use a new `Idempotency-Key` for a new request',
  contentTooLarge: 'send less than 64 KiB',
  unsupportedMediaType: 'send `Content-Type: application/json`',
  tooManyRequests: AGAIN_LATER,
  internalServerError: REPORT,
  serviceUnavailable: AGAIN_LATER,
};

/** How each service says no, every name of it. */
export function errors(config: SiteConfig): string {
  const [fleet = '', account = '', website = ''] = publicServices(config).map(({ name }) => name);
  return `## Errors

Each service has one shape for all of its errors. Decide by the status and the name; the message is for people, names
what is wrong and says what would be right. With a 429, a 502 and a 503, \`Retry-After\` says when to come again. Every
answer has an \`X-Request-Id\`: tell it when you ask us about one.

${section(fleet, '{ "error": "invalid_query", "message": "…" }', fleetErrors, fleetRemedies)}

${section(account, '{ "title": "Invalid Code", "detail": "…" }', accountErrors, accountRemedies)}

${section(website, '{ "type": "about:blank", "title": "Bad Request", "status": 400, "detail": "…" }', websiteErrors, websiteRemedies)}

The website’s errors are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). A path of it that does
not exist is a 404 with a site map in markdown.`;
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
  return `### ${service}\n\n\`\`\`json\n${shape}\n\`\`\`\n\n| Status | Name | What to do |\n|---|---|---|\n${rows.join('\n')}`;
}
