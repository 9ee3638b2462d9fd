import { readSettings, setting } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { audit } from '../audit/audit.ts';
import { print } from '../operations/output.ts';
import { asOperator } from '../operations/as-operator.ts';
import { cleanUp } from './clean-up.ts';
import { SERVICE_RULES, ownerRules } from './clean-up-rules.ts';

export const retentionSettings = {
  AUDIT_RETENTION_DAYS: setting.integer('days for which clean-up keeps audit events', {
    min: 30,
    max: 36_500,
    defaultValue: 400,
  }),
};

/** Adds `clean-up`, meant to run once a day. */
export function addCleanUpCommand(program: Command): void {
  program
    .command('clean-up')
    .description(
      'delete expired sign-in and password attempts, codes, sessions, revocations and signing keys, and audit events ' +
        'older than AUDIT_RETENTION_DAYS; in small batches, safe while services run (OWNER_DATABASE_URL)',
    )
    .action(async () => {
      const { AUDIT_RETENTION_DAYS: days } = readSettings(retentionSettings, process.env);
      await asOperator(async ({ database, actor }) => {
        const removed = await cleanUp(database, [...SERVICE_RULES, ...ownerRules(days)]);
        await audit(database, {
          action: 'cleaned_up',
          actor,
          detail: { removed, audit_retention_days: days },
        });
        const lines = Object.entries(removed).map(([name, count]) => [name, `${count} deleted`]);
        print({ removed }, lines);
      });
    });
}
