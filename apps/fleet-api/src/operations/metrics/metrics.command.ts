import { withOwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { Command } from 'commander';
import { positiveId } from '../../importer/command-options.ts';
import { type OperationOptions, printResult, withOperationOptions } from '../options.ts';
import { NOT_REBUILT, type RebuiltMetrics, rebuildMetrics } from './rebuild-metrics.ts';

interface Options extends OperationOptions {
  customer?: number;
}

/** The `metrics` command (docs/operating-fleet-data.md). */
export function metricsCommand(): Command {
  const command = new Command('metrics').description('the sums and counts of metrics (OWNER_DATABASE_URL)');
  const rebuild = command
    .command('rebuild')
    .description(
      'recompute wrong sums and counts from the stored rows; reads continue, imports of a customer wait while it is ' +
        'recomputed',
    )
    .option('--customer <id>', 'only this customer', positiveId);
  withOperationOptions(rebuild).action(
    async ({ customer, lockTimeout, dryRun = false, ...output }: Options) => {
      const customers = await withOwnerDatabase(
        { schema: 'fleet', lockTimeoutSeconds: lockTimeout },
        async (owner) => rebuildMetrics(await owner.open(), customer ?? null, { dryRun }),
      );
      printResult(output, { dry_run: dryRun, customers, unchanged: NOT_REBUILT }, [
        ...customers.map((customer) => describe(customer, dryRun ? 'would change' : 'changed')),
        ...NOT_REBUILT.map((what) => `not rebuilt: ${what}`),
      ]);
    },
  );
  return command;
}

function describe({ customer_id, ...changes }: RebuiltMetrics, verb: string): string {
  const parts = Object.entries(changes).map(([what, rows]) => `${rows} rows of ${what}`);
  return `customer ${customer_id}: ${verb} ${parts.join(', ')}`;
}
