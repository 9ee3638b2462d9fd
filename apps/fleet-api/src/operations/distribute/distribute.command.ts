import { withOwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { Command } from 'commander';
import { type OperationOptions, printResult, withOperationOptions } from '../options.ts';
import { distributionPlan, requireCitus } from './distribution-plan.ts';

/** The `distribute` command, run once when one server is not enough (docs/distributing.md). */
export function distributeCommand(): Command {
  return withOperationOptions(new Command('distribute'))
    .description(
      'distribute the tables over the nodes of a Citus cluster by customer; each table is locked while it is moved (OWNER_DATABASE_URL)',
    )
    .action(async ({ lockTimeout, dryRun = false, ...output }: OperationOptions) => {
      const steps = await withOwnerDatabase(
        { schema: 'fleet', lockTimeoutSeconds: lockTimeout },
        async (owner) => {
          const client = await owner.open();
          const plan = await distributionPlan(client);
          if (dryRun) return plan;
          await requireCitus(client);
          // The statements are not one transaction: the next run continues an interrupted one.
          for (const { sql, done } of plan) if (!done) await client.query(sql);
          return plan;
        },
      );
      printResult(
        output,
        { dry_run: dryRun, steps },
        steps.map(({ sql, done }) => (done ? `-- done before: ${sql};` : `${sql};`)),
      );
    });
}
