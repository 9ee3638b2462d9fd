import { once } from 'node:events';
import { parseTimestamp } from '@gpu-observatory/domain-types';
import { OperationError, type Queryable } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { JSON_OPTION, print } from '../operations/output.ts';
import { asOperator } from '../operations/as-operator.ts';
import { requireKnownCustomer } from '../tenants/change-tenants.ts';
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

/** Adds `audit list|export`. Events are deleted only after their retention, by `clean-up`. */
export function addAuditCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('audit log: sign-ins, denials, keys, revocations, changes by operators');

  audit
    .command('list')
    .description('list events, newest first (OWNER_DATABASE_URL)')
    .option('--since <timestamp>', 'events at or after this time, such as 2026-01-31T12:00:00Z')
    .option('--action <action>', 'events with this action, such as signed_in')
    .option('--actor <actor>', 'events by this actor, such as user:7 or operator:olga')
    .option('--customer <slug>', 'events of this customer')
    .option('--limit <count>', `maximum number of events, up to ${MAX_LIMIT}`, DEFAULT_LIMIT)
    .option(...JSON_OPTION)
    .action(async ({ since, action, actor, customer, limit, ...options }: Options) => {
      const filter = { since: parseInstant(since), action, actor, customer, limit: parseLimit(limit) };
      await asOperator(async ({ database }) => {
        await requireKnownCustomer(database, customer);
        const events = await listAuditEvents(database, filter);
        print(options, { audit_events: events }, events.map(describeEvent));
      });
    });

  audit
    .command('export')
    .description(
      'export all events as NDJSON, oldest first, for an archive or another system (OWNER_DATABASE_URL)',
    )
    .option('--since <timestamp>', 'events at or after this time')
    .option('--until <timestamp>', 'events before this time')
    .option('--customer <slug>', 'events of this customer')
    .action(async ({ since, until, customer }: ExportOptions) => {
      const filter = {
        since: parseInstant(since) ?? new Date(0),
        until: parseInstant(until),
        customer,
      };
      await asOperator(async ({ database }) => {
        await requireKnownCustomer(database, customer);
        for await (const lines of exportLines(database, filter)) {
          if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
        }
      });
    });
}

async function* exportLines(
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

function parseInstant(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
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

function describeEvent({ occurred_at, action, actor, customer, user, network, detail }: AuditRow): string[] {
  const context = [customer ?? '-', user ?? '-', network ?? '-'];
  return [occurred_at.toISOString(), action, actor, ...context, JSON.stringify(detail)];
}
