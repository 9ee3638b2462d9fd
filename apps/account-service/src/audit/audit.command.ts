import { once } from 'node:events';
import { parseTimestamp } from '@gpu-observatory/domain-types';
import {
  OperationError,
  type Queryable,
  readSettings,
  setting,
  withOperationsDatabase,
} from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { commonOptions, print, printLines, printList, toCells } from '../operations/output.ts';
import { asOperator } from '../operations/as-operator.ts';
import { requireKnownCustomer } from '../tenants/change-tenants.ts';
import { readDatabaseTime } from '../clock/clock.ts';
import { audit as record } from './audit.ts';
import { type AuditRow, listAuditEvents, readAuditEvents, setReader } from './audit.queries.ts';
import { followAuditEvents } from './follow.ts';

export const auditorSettings = {
  AUDITOR_DATABASE_URL: setting
    .postgresUrl('the URL of a role that may read the audit and nothing else, for the audit commands')
    .optional(),
};

const AUDITOR_OPTIONS = { schema: 'account', variable: 'AUDITOR_DATABASE_URL', lockTimeoutSeconds: 5 };

const DEFAULT_LIMIT = '100';
const MAX_LIMIT = 10_000;

interface Options {
  since?: Date;
  until?: Date;
  action?: string;
  actor?: string;
  customer?: string;
  limit: string;
}

/** Adds `audit list|export|follow|add-reader|remove-reader`. Events are deleted only after their retention, by `clean-up`. */
export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('audit log: sign-ins, denials, keys, revocations, changes by operators');

  audit
    .command('list')
    .description('list events, newest first (AUDITOR_DATABASE_URL or OWNER_DATABASE_URL)')
    .option('--since <timestamp>', 'events at or after this time, such as 2026-01-31T12:00:00Z', parseInstant)
    .option('--action <action>', 'events with this action, such as signed_in')
    .option('--actor <actor>', 'events by this actor, such as user:7 or operator:olga')
    .option('--customer <slug>', 'events of this customer')
    .option('--limit <count>', `maximum number of events, up to ${MAX_LIMIT}`, DEFAULT_LIMIT)
    .action(async ({ since, action, actor, customer, limit }: Options) => {
      const filter = { since, action, actor, customer };
      const rows = parseLimit(limit);
      await asAuditor(customer, async (database) => {
        printList('audit_events', await listAuditEvents(database, filter, rows));
      });
    });

  audit
    .command('follow')
    .description(
      'print events from now on as they happen, until interrupted; with --json as NDJSON, for a SIEM ' +
        '(AUDITOR_DATABASE_URL or OWNER_DATABASE_URL)',
    )
    .option('--since <timestamp>', 'begin with events at or after this time', parseInstant)
    .option('--customer <slug>', 'events of this customer')
    .action(async ({ since, customer }: Options) => {
      await asAuditor(customer, async (database) => {
        const start = since ?? (await readDatabaseTime(database));
        for await (const events of followAuditEvents(database, { since: start, customer })) {
          if (commonOptions().json) await write(toLines(events));
          else printLines(events.map(toCells));
        }
      });
    });

  for (const [command, change, description] of [
    ['add-reader', 'added', 'grant a database role read access to the audit and nothing else'],
    ['remove-reader', 'removed', 'revoke this access'],
  ] as const) {
    audit
      .command(`${command} <role>`)
      .description(`${description} (OWNER_DATABASE_URL)`)
      .action((role: string) => changeReader(change, role));
  }

  audit
    .command('export')
    .description(
      'export all events as NDJSON, oldest first, for an archive (AUDITOR_DATABASE_URL or OWNER_DATABASE_URL)',
    )
    .option('--since <timestamp>', 'events at or after this time', parseInstant)
    .option('--until <timestamp>', 'events before this time', parseInstant)
    .option('--customer <slug>', 'events of this customer')
    .action(async ({ since = new Date(0), until, customer }: Options) => {
      await asAuditor(customer, async (database) => {
        for await (const events of readAuditEvents(database, { since, until, customer })) {
          await write(toLines(events));
        }
      });
    });
}

/**
 * Runs a command as the auditor (AUDITOR_DATABASE_URL) or as the schema owner. Only the owner can check the slug of a customer.
 */
async function asAuditor(
  customer: string | undefined,
  work: (database: Queryable) => Promise<void>,
): Promise<void> {
  const { AUDITOR_DATABASE_URL: url } = readSettings(auditorSettings, process.env);
  if (url !== undefined) return withOperationsDatabase({ ...AUDITOR_OPTIONS, url }, work);
  await asOperator(async ({ database }) => {
    await requireKnownCustomer(database, customer);
    await work(database);
  });
}

async function changeReader(change: 'added' | 'removed', role: string): Promise<void> {
  await asOperator(async ({ database, actor }) => {
    await database.transaction(async (transaction) => {
      if (!(await setReader(transaction, role, change === 'added')))
        throw new OperationError(`the database role ${role} does not exist; create it first`);
      await record(transaction, { action: `audit_reader_${change}`, actor, detail: { role } });
    });
    print({ role, change }, [`audit reader ${role}: ${change}`]);
  });
}

function toLines(events: readonly AuditRow[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

function parseInstant(text: string): Date {
  const instant = parseTimestamp(text);
  if (instant !== null) return instant;
  throw new OperationError(
    `timestamps must be RFC 3339 with a zone, such as 2026-01-31T12:00:00Z, got "${text}"`,
  );
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,5}$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new OperationError(`--limit must be an integer from 1 to ${MAX_LIMIT}, got "${text}"`);
}
