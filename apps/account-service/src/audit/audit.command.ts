import { parseTimestamp } from '@gpu-observatory/domain-types';
import { OperationRefused } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { JSON_OPTION, print } from '../operations/output.ts';
import { withOwnerDatabase } from '../operations/owner-database.ts';
import { type AuditRow, listAuditEvents } from './audit.queries.ts';

const DEFAULT_LIMIT = '100';
const MAX_LIMIT = 10_000;

interface Options {
  since?: string;
  action?: string;
  actor?: string;
  customer?: string;
  limit: string;
  json?: boolean;
}

/** `audit list`. Nothing but retention ever takes a row away (`clean-up`). */
export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('what happened: sign-ins, refusals, keys, revocations, operators’ changes')
    .command('list')
    .description('the events, newest first (OWNER_DATABASE_URL)')
    .option('--since <timestamp>', 'from this instant on, such as 2026-01-31T12:00:00Z')
    .option('--action <action>', 'of one kind, such as signed_in')
    .option('--actor <actor>', 'by one actor, such as user:7 or operator:olga')
    .option('--customer <slug>', 'that concern one customer')
    .option('--limit <count>', `at most so many, up to ${MAX_LIMIT}`, DEFAULT_LIMIT)
    .option(...JSON_OPTION)
    .action(async ({ since, action, actor, customer, limit, ...options }: Options) => {
      const which = { since: readSince(since), action, actor, customer, limit: readLimit(limit) };
      await withOwnerDatabase(async ({ database }) => {
        const events = await listAuditEvents(database, which);
        print(options, { audit_events: events }, events.map(describeEvent));
      });
    });
}

function readSince(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const since = parseTimestamp(text);
  if (since !== null) return since;
  throw new OperationRefused(`"${text}" is no timestamp: give one with a zone, such as 2026-01-31T12:00:00Z`);
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,5}$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new OperationRefused(`"${text}" is no limit: give an integer from 1 to ${MAX_LIMIT}`);
}

function describeEvent({ occurred_at, action, actor, customer, user, network, detail }: AuditRow): string {
  const facts = JSON.stringify(detail);
  return [occurred_at.toISOString(), action, actor, customer ?? '-', user ?? '-', network ?? '-', facts].join(
    '\t',
  );
}
