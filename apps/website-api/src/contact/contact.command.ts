import { isUuid } from '@gpu-observatory/domain-types';
import { OperationError, type Queryable, withOwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { Command } from 'commander';
import type { StoredContactRequest } from './stored-contact-request.entity.ts';
import { type ContactFilter, eraseRequests, findRequests } from './contact-requests.queries.ts';

interface Options {
  id?: string;
  email?: string;
  before?: string;
  undelivered?: boolean;
  json?: boolean;
  yes?: boolean;
}

/** `contact list|export|erase`: reads stored contact requests, and serves access and erasure requests. */
export function contactCommand(): Command {
  const contact = new Command('contact').description('stored contact requests');
  withFilterOptions(contact.command('list'))
    .description('list senders, times and mail state, newest first (OWNER_DATABASE_URL)')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withDatabase(async (database) => {
        const requests = await findRequests(database, parseFilter(options));
        if (options.json) return printJson({ requests: requests.map(summaryOf) });
        for (const request of requests) console.log(formatRequest(request));
        console.log(`${requests.length} in total`);
      }),
    );
  withFilterOptions(contact.command('export'))
    .description('print all stored data of requests as JSON (OWNER_DATABASE_URL)')
    .action((options: Options) =>
      withDatabase(async (database) => {
        const requests = await findRequests(database, parseFilter(options));
        printJson({ requests: requests.map(exported) });
      }),
    );
  withFilterOptions(contact.command('erase'))
    .description('delete requests permanently, including unmailed ones (OWNER_DATABASE_URL)')
    .option('--yes', 'delete; without it, only count the matching requests')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withDatabase(async (database) => {
        const filter = parseFilter(options);
        if (Object.values(filter).every((value) => value === undefined || value === false)) {
          throw new OperationError('contact erase needs a filter: --id, --email, --before or --undelivered');
        }
        const ids = options.yes
          ? await eraseRequests(database, filter)
          : (await findRequests(database, filter)).map(({ id }) => id);
        if (options.json) printJson({ erased: options.yes ?? false, ids });
        else if (options.yes) console.log(`${ids.length} erased`);
        else console.log(`${ids.length} would be erased; pass --yes to erase`);
      }),
    );
  return contact;
}

function withFilterOptions(command: Command): Command {
  return command
    .option('--id <uuid>', 'the id that the sender received')
    .option('--email <address>', 'sent from this email address')
    .option('--before <time>', 'received before this time, for example 2026-01-31 or 2026-01-31T09:00:00Z')
    .option('--undelivered', 'not yet mailed');
}

/** @throws {OperationError} naming the invalid option */
function parseFilter({ id, email, before, undelivered }: Options): ContactFilter {
  if (id !== undefined && !isUuid(id)) throw new OperationError(`--id must be a UUID, got "${id}"`);
  const time = before === undefined ? undefined : new Date(before);
  if (before !== undefined && (!/^\d{4}-\d{2}-\d{2}/.test(before) || Number.isNaN(time?.getTime()))) {
    throw new OperationError(
      `--before must be a time such as 2026-01-31 or 2026-01-31T09:00:00Z, got "${before}"`,
    );
  }
  return { id, email, before: time, undelivered: undelivered ?? false };
}

const printJson = (document: object) => console.log(JSON.stringify(document, null, 2));

const withDatabase = (work: (database: Queryable) => Promise<void>) =>
  withOwnerDatabase({ schema: 'website', lockTimeoutSeconds: 5, statementTimeoutSeconds: 60 }, work);

/** Without what only the service uses. */
function exported(request: StoredContactRequest) {
  const { idempotency_key_hash: _key, body_hash: _body, next_attempt_at: _next, ...rest } = request;
  return rest;
}

function summaryOf(request: StoredContactRequest) {
  const { message: _message, ...rest } = exported(request);
  return rest;
}

function formatRequest({
  id,
  received_at: at,
  first_name: name,
  email,
  company,
  delivered_at: delivered,
  ...rest
}: StoredContactRequest) {
  const error = rest.last_error === null ? '' : `, last error: ${rest.last_error}`;
  const state = delivered
    ? `mailed ${delivered.toISOString()}`
    : `not mailed, ${rest.attempts} attempts${error}`;
  return `${id}  ${at.toISOString()}  ${name} <${email}>${company === '' ? '' : `, ${company}`}  ${state}`;
}
