import { withOwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { Command } from 'commander';
import { integerFrom, type OperationOptions, printResult, withOperationOptions } from '../options.ts';
import { createPartitionsAhead } from './partitions-ahead.ts';

interface Options extends OperationOptions {
  months: number;
  days: number;
}

/** The `partitions` command, to be run daily. */
export function partitionsCommand(): Command {
  const command = new Command('partitions').description('partitions of fleet data (OWNER_DATABASE_URL)');
  const ahead = command
    .command('ahead')
    .description('create the partitions of the coming months and days; reads and imports continue')
    .option('--months <n>', 'months ahead, 0 to 24', integerFrom(0, 24), 3)
    .option('--days <n>', 'days ahead, for tables with daily partitions, 1 to 100', integerFrom(1, 100), 14);
  withOperationOptions(ahead).action(
    async ({ months, days, lockTimeout, dryRun = false, ...output }: Options) => {
      const created = await withOwnerDatabase(
        { schema: 'fleet', lockTimeoutSeconds: lockTimeout },
        async (owner) => createPartitionsAhead(await owner.open(), { months, days }, { dryRun }),
      );
      printResult(output, { dry_run: dryRun, created }, [
        ...created.map(({ partition }) => `${dryRun ? 'would create' : 'created'} fleet.${partition}`),
        `${created.length} partitions ${dryRun ? 'are missing' : 'created'}; ${months} months and ${days} days ahead`,
      ]);
    },
  );
  return command;
}
