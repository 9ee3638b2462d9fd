import {
  createLogger,
  Database,
  OperationError,
  operationsSettings,
  readSettings,
  serviceSettings,
} from '@gpu-observatory/service-runtime';
import { Command } from 'commander';
import {
  type ContactFilter,
  eraseRequests,
  findRequests,
  type KeptRequest,
} from './kept-requests.queries.ts';

interface Options {
  id?: string;
  email?: string;
  before?: string;
  undelivered?: boolean;
  json?: boolean;
  yes?: boolean;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `contact list|export|erase`: what people asked, for those who answer and for those who ask what is kept of them. */
export function contactCommand(): Command {
  const contact = new Command('contact').description('requests that people sent');
  choosing(contact.command('list'))
    .description('who asked when, and whether it was mailed, newest first (OWNER_DATABASE_URL)')
    .option('--json', 'as JSON')
    .action((options: Options) =>
      withRequests(async (database) => {
        const requests = await findRequests(database, filterOf(options));
        if (options.json)
          return console.log(JSON.stringify({ requests: requests.map(withoutText) }, null, 2));
        for (const request of requests) console.log(lineOf(request));
        console.log(`${requests.length} in all`);
      }),
    );
  choosing(contact.command('export'))
    .description('everything that is kept of requests, as JSON (OWNER_DATABASE_URL)')
    .action((options: Options) =>
      withRequests(async (database) => {
        console.log(JSON.stringify({ requests: await findRequests(database, filterOf(options)) }, null, 2));
      }),
    );
  choosing(contact.command('erase'))
    .description('delete requests for good, those not yet mailed too (OWNER_DATABASE_URL)')
    .option('--yes', 'without it, only tell how many there are')
    .option('--json', 'as JSON')
    .action((options: Options) =>
      withRequests(async (database) => {
        const filter = filterOf(options);
        if (Object.values(filter).every((value) => value === undefined || value === false)) {
          throw new OperationError('say which: --id, --email or --before');
        }
        const ids = options.yes
          ? await eraseRequests(database, filter)
          : (await findRequests(database, filter)).map(({ id }) => id);
        if (options.json) console.log(JSON.stringify({ erased: options.yes ?? false, ids }, null, 2));
        else
          console.log(
            options.yes ? `${ids.length} erased` : `${ids.length} would be erased; give --yes to do it`,
          );
      }),
    );
  return contact;
}

function choosing(command: Command): Command {
  return command
    .option('--id <uuid>', 'the one that the sender was told')
    .option('--email <address>', 'of one person')
    .option('--before <time>', 'received before this time, such as 2026-01-31 or 2026-01-31T09:00:00Z')
    .option('--undelivered', 'not mailed yet');
}

/** @throws {OperationError} naming the option that is not what it should be */
function filterOf({ id, email, before, undelivered }: Options): ContactFilter {
  if (id !== undefined && !UUID.test(id)) throw new OperationError('--id should be a UUID');
  const time = before === undefined ? undefined : new Date(before);
  if (before !== undefined && (!/^\d{4}-\d{2}-\d{2}/.test(before) || Number.isNaN(time?.getTime()))) {
    throw new OperationError('--before should be a time such as 2026-01-31 or 2026-01-31T09:00:00Z');
  }
  return { id, email, before: time, undelivered: undelivered ?? false };
}

async function withRequests(work: (database: Database) => Promise<void>): Promise<void> {
  const { OWNER_DATABASE_URL: url, LOG_LEVEL: level } = readSettings(
    { ...operationsSettings, LOG_LEVEL: serviceSettings.LOG_LEVEL },
    process.env,
  );
  const database = new Database({
    url,
    poolSize: 1,
    namedStatements: true,
    applicationName: 'website-contact-requests',
    logger: createLogger('website-api', level),
  });
  try {
    await work(database);
  } finally {
    await database.stop();
  }
}

const withoutText = ({ message: _message, ...rest }: KeptRequest) => rest;

function lineOf({
  id,
  received_at: at,
  first_name: name,
  email,
  company,
  delivered_at: delivered,
  ...rest
}: KeptRequest) {
  const failure = rest.last_failure === null ? '' : `, last failure: ${rest.last_failure}`;
  const state = delivered
    ? `mailed ${delivered.toISOString()}`
    : `not mailed, ${rest.attempts} attempts${failure}`;
  return `${id}  ${at.toISOString()}  ${name} <${email}>${company === '' ? '' : `, ${company}`}  ${state}`;
}
