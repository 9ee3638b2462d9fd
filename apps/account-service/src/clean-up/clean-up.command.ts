import { readSettings, setting } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { audit } from '../audit/audit.ts';
import { JSON_OPTION, print } from '../operations/output.ts';
import { withOwnerDatabase } from '../operations/owner-database.ts';
import { cleanUp } from './clean-up.ts';
import { EXPIRED, ownersLeftovers } from './leftovers.ts';

export const retentionSettings = {
  AUDIT_RETENTION_DAYS: setting.integer('for how many days clean-up leaves the audit', {
    min: 30,
    max: 36_500,
    defaultValue: 400,
  }),
};

/** `clean-up`: of use once a day. */
export function addCleanUpCommand(program: Command): void {
  program
    .command('clean-up')
    .description(
      'remove expired attempts, codes, sessions, revocations and rate limits, and the audit beyond ' +
        'AUDIT_RETENTION_DAYS; in small batches, beside running services (OWNER_DATABASE_URL)',
    )
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }) => {
      const { AUDIT_RETENTION_DAYS: days } = readSettings(retentionSettings, process.env);
      await withOwnerDatabase(async ({ database, actor }) => {
        const removed = await cleanUp(database, [...EXPIRED, ...ownersLeftovers(days)], new Date());
        await audit(database, {
          action: 'cleaned_up',
          actor,
          detail: { removed, audit_retention_days: days },
        });
        const lines = Object.entries(removed).map(([name, count]) => [name, `${count} removed`]);
        print(options, { removed }, lines);
      });
    });
}
