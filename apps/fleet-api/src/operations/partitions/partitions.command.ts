import { Command } from 'commander';
import { integerFrom, operation } from '../operation.ts';
import { type Ahead, createPartitionsAhead } from './partitions-ahead.ts';

/** The `partitions` command, to be run daily. */
export function partitionsCommand(): Command {
  const command = new Command('partitions').description('partitions of fleet data (OWNER_DATABASE_URL)');
  const ahead = command
    .command('ahead')
    .description('create the partitions of the coming months and days; reads and imports continue')
    .option('--months <n>', 'months ahead, 0 to 24', integerFrom(0, 24), 3)
    .option('--days <n>', 'days ahead, for tables with daily partitions, 1 to 100', integerFrom(1, 100), 14);
  operation<Ahead>(ahead, async (owner, { months, days, dryRun }) => {
    const created = await createPartitionsAhead(await owner.open(), { months, days }, { dryRun });
    return {
      document: { created },
      lines: [
        ...created.map(({ partition }) => `${dryRun ? 'would create' : 'created'} fleet.${partition}`),
        `${created.length} partitions ${dryRun ? 'are missing' : 'created'}; ${months} months and ${days} days ahead`,
      ],
    };
  });
  return command;
}
