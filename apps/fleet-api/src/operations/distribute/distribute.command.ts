import { withOwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { Command } from 'commander';
import { DRY_RUN_OPTION, JSON_OPTION, LOCK_TIMEOUT_OPTION, print } from '../options.ts';
import { distributionPlan, requireCitus } from './distribution-plan.ts';

interface Options {
  lockTimeout: number;
  dryRun?: boolean;
  json?: boolean;
}

/** The `distribute` command, run once when one server is not enough (docs/distributing.md). */
export function distributeCommand(): Command {
  return new Command('distribute')
    .description(
      'distribute the tables over the nodes of a Citus cluster by customer; each table is locked while it is moved (OWNER_DATABASE_URL)',
    )
    .option(...LOCK_TIMEOUT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ lockTimeout, dryRun = false, ...output }: Options) => {
      const steps = await withOwnerDatabase(
        { schema: 'fleet', lockTimeoutSeconds: lockTimeout },
        async (owner) => {
          const client = await owner.open();
          const plan = await distributionPlan(client);
          if (dryRun) return plan;
          await requireCitus(client);
          // Without a transaction: an interrupted run is continued by the next.
          for (const { sql, done } of plan) if (!done) await client.query(sql);
          return plan;
        },
      );
      print(
        output,
        { dry_run: dryRun, steps },
        steps.map(({ sql, done }) => (done ? `-- done before: ${sql};` : `${sql};`)),
      );
    });
}
