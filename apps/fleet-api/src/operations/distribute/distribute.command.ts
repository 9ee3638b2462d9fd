import { Command } from 'commander';
import { operation } from '../operation.ts';
import { distributionPlan, requireCitus } from './distribution-plan.ts';

/** The `distribute` command, run once when one server is not enough (docs/distributing.md). */
export function distributeCommand(): Command {
  const command = new Command('distribute').description(
    'distribute the tables over the nodes of a Citus cluster by customer; each table is locked while it is moved (OWNER_DATABASE_URL)',
  );
  return operation(command, async (owner, { dryRun }) => {
    const client = await owner.open();
    const steps = await distributionPlan(client);
    if (!dryRun) {
      await requireCitus(client);
      // The statements are not one transaction: the next run continues an interrupted one.
      for (const { sql, done } of steps) if (!done) await client.query(sql);
    }
    return {
      document: { steps },
      lines: steps.map(({ sql, done }) => (done ? `-- done before: ${sql};` : `${sql};`)),
    };
  });
}
