import { withOwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { Command } from 'commander';
import { DRY_RUN_OPTION, integerFrom, JSON_OPTION, LOCK_TIMEOUT_OPTION, print } from '../options.ts';
import { createPartitionsAhead } from './partitions-ahead.ts';

interface Options {
  months: number;
  days: number;
  lockTimeout: number;
  dryRun?: boolean;
  json?: boolean;
}

/** The `partitions` command, to be run daily. */
export function partitionsCommand(): Command {
  const command = new Command('partitions').description('partitions of fleet data (OWNER_DATABASE_URL)');
  command
    .command('ahead')
    .description('create the partitions of the coming months and days; reads and imports continue')
    .option('--months <n>', 'months ahead, 0 to 24', integerFrom(0, 24), 3)
    .option('--days <n>', 'days ahead, for tables with daily partitions, 1 to 100', integerFrom(1, 100), 14)
    .option(...LOCK_TIMEOUT_OPTION)
    .option(...DRY_RUN_OPTION)
    .option(...JSON_OPTION)
    .action(async ({ months, days, lockTimeout, dryRun = false, ...output }: Options) => {
      const created = await withOwnerDatabase(
        { schema: 'fleet', lockTimeoutSeconds: lockTimeout },
        async (owner) => createPartitionsAhead(await owner.open(), { months, days }, { dryRun }),
      );
      print(output, { dry_run: dryRun, created }, [
        ...created.map(({ partition }) => `${dryRun ? 'would create' : 'created'} fleet.${partition}`),
        `${created.length} partitions ${dryRun ? 'are missing' : 'created'}; ${months} months and ${days} days ahead`,
      ]);
    });
  return command;
}
