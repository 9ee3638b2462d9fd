import { once } from 'node:events';
import { parseTimestamp } from '@gpu-observatory/domain-types';
import { OperationError, type Queryable } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { JSON_OPTION, print } from '../operations/output.ts';
import { withOwnerDatabase } from '../operations/owner-database.ts';
import { refuseUnknownCustomer } from '../tenants/change-tenants.ts';
import { type AuditRow, listAuditEvents, readAuditEventsAfter } from './audit.queries.ts';

const DEFAULT_LIMIT = '100';
const MAX_LIMIT = 10_000;
const EXPORT_BATCH_ROWS = 1_000;

interface Options {
  since?: string;
  action?: string;
  actor?: string;
  customer?: string;
  limit: string;
  json?: boolean;
}

interface ExportOptions {
  since?: string;
  until?: string;
  customer?: string;
}

/** `audit list|export`. Nothing but retention ever takes a row away (`clean-up`). */
export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('what happened: sign-ins, refusals, keys, revocations, operators’ changes');

  audit
    .command('list')
    .description('the events, newest first (OWNER_DATABASE_URL)')
    .option('--since <timestamp>', 'from this instant on, such as 2026-01-31T12:00:00Z')
    .option('--action <action>', 'of one kind, such as signed_in')
    .option('--actor <actor>', 'by one actor, such as user:7 or operator:olga')
    .option('--customer <slug>', 'that concern one customer')
    .option('--limit <count>', `at most so many, up to ${MAX_LIMIT}`, DEFAULT_LIMIT)
    .option(...JSON_OPTION)
    .action(async ({ since, action, actor, customer, limit, ...options }: Options) => {
      const which = { since: readInstant(since), action, actor, customer, limit: readLimit(limit) };
      await withOwnerDatabase(async ({ database }) => {
        await refuseUnknownCustomer(database, customer);
        const events = await listAuditEvents(database, which);
        print(options, { audit_events: events }, events.map(describeEvent));
      });
    });

  audit
    .command('export')
    .description(
      'every event as a line of JSON, oldest first, however many, for an archive or another system (OWNER_DATABASE_URL)',
    )
    .option('--since <timestamp>', 'from this instant on')
    .option('--until <timestamp>', 'before this instant')
    .option('--customer <slug>', 'that concern one customer')
    .action(async ({ since, until, customer }: ExportOptions) => {
      const which = {
        since: readInstant(since) ?? new Date(0),
        until: readInstant(until),
        customer,
      };
      await withOwnerDatabase(async ({ database }) => {
        await refuseUnknownCustomer(database, customer);
        for await (const lines of exportedLines(database, which)) {
          if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
        }
      });
    });
}

async function* exportedLines(
  database: Queryable,
  { since, until, customer }: { since: Date; until: Date | undefined; customer: string | undefined },
): AsyncGenerator<string> {
  let after = { occurred_at: since, id: 0 };
  for (;;) {
    const events = await readAuditEventsAfter(database, { after, until, customer, limit: EXPORT_BATCH_ROWS });
    if (events.length > 0) yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
    const last = events.at(-1);
    if (!last || events.length < EXPORT_BATCH_ROWS) return;
    after = last;
  }
}

function readInstant(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const instant = parseTimestamp(text);
  if (instant !== null) return instant;
  throw new OperationError(`"${text}" is no timestamp: give one with a zone, such as 2026-01-31T12:00:00Z`);
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,5}$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new OperationError(`"${text}" is no limit: give an integer from 1 to ${MAX_LIMIT}`);
}

function describeEvent({ occurred_at, action, actor, customer, user, network, detail }: AuditRow): string[] {
  const where = [customer ?? '-', user ?? '-', network ?? '-'];
  return [occurred_at.toISOString(), action, actor, ...where, JSON.stringify(detail)];
}
