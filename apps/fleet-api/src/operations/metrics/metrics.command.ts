import { Command } from 'commander';
import { positiveId } from '../../importer/command-options.ts';
import { operation } from '../operation.ts';
import { NOT_REBUILT, type RebuiltMetrics, rebuildMetrics } from './rebuild-metrics.ts';

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
  operation<{ customer?: number }>(rebuild, async (owner, { customer, dryRun }) => {
    const customers = await rebuildMetrics(await owner.open(), customer ?? null, { dryRun });
    return {
      document: { customers, unchanged: NOT_REBUILT },
      lines: [
        ...customers.map((rebuilt) => describe(rebuilt, dryRun ? 'would change' : 'changed')),
        ...NOT_REBUILT.map((what) => `not rebuilt: ${what}`),
      ],
    };
  });
  return command;
}

function describe({ customer_id, ...changes }: RebuiltMetrics, verb: string): string {
  const parts = Object.entries(changes).map(([what, rows]) => `${rows} rows of ${what}`);
  return `customer ${customer_id}: ${verb} ${parts.join(', ')}`;
}
