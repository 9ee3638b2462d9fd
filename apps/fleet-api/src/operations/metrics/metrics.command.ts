import { Command } from 'commander';
import { positiveInteger } from '../../importer/command-options.ts';
import { DRY_RUN_OPTION, JSON_OPTION, LOCK_TIMEOUT_OPTION, print } from '../options.ts';
import { asOwner } from '../owner-connection.ts';
import { NOT_REBUILT, type RebuiltMetrics, rebuildMetrics } from './rebuild-metrics.ts';

interface Options {
  customer?: number;
  lockTimeout: number;
  dryRun?: boolean;
  json?: boolean;
}

/** `metrics`: of use once, where data are older than metrics. */
export function metricsCommand(): Command {
  const command = new Command('metrics').description('what metrics are read from (OWNER_DATABASE_URL)');
  command
    .command('rebuild')
    .description(
      'make sums and counts anew from the stored rows, of data imported by a release that did not keep them; what is right ' +
        'is left alone, readers go on, imports of a customer wait while it is at it',
    )
    .option('--customer <id>', 'only this customer’s', positiveInteger)
    .option(...LOCK_TIMEOUT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ customer, lockTimeout, dryRun = false, ...output }: Options) => {
      const customers = await asOwner({ lockTimeoutSeconds: lockTimeout }, async (owner) =>
        rebuildMetrics(await owner.open(), customer ?? null, { dryRun }),
      );
      print(output, { dry_run: dryRun, customers, left_as_they_are: NOT_REBUILT }, [
        ...customers.map((one) => lineOf(one, dryRun ? 'would change' : 'changed')),
        ...NOT_REBUILT.map((what) => `left as they are: ${what}`),
      ]);
    });
  return command;
}

function lineOf({ customer_id, ...changes }: RebuiltMetrics, verb: string): string {
  const parts = Object.entries(changes).map(([what, rows]) => `${rows} rows of ${what}`);
  return `customer ${customer_id}: ${verb} ${parts.join(', ')}`;
}
