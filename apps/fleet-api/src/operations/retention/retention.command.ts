import { Command } from 'commander';
import { readRetention } from '../../config/retention.config.ts';
import { operation } from '../operation.ts';
import { applyRetention } from './apply-retention.ts';

/** The `retention` command, to be run daily. */
export function retentionCommand(): Command {
  const command = new Command('retention').description('retention of fleet data (OWNER_DATABASE_URL)');
  const apply = command
    .command('apply')
    .description(
      'delete data older than RETENTION_ALERTS_MONTHS, RETENTION_EVENTS_MONTHS, RETENTION_ROLLUPS_MONTHS and ' +
        'RETENTION_SAMPLES_DAYS; reads and imports continue',
    );
  operation(apply, async (owner, { dryRun }) => {
    const result = await applyRetention(owner, readRetention(process.env), { dryRun });
    const { kept, dropped, pruned } = result;
    return {
      document: result,
      lines: [
        `kept: ${Object.entries(kept)
          .map(([kind, span]) => `${kind} ${span}`)
          .join(', ')}`,
        ...dropped.map(
          ({ partition, until, bytes }) =>
            `${dryRun ? 'would drop' : 'dropped'} fleet.${partition} (until ${until}, ${megabytes(bytes)} MB)`,
        ),
        ...Object.entries(pruned).map(
          ([table, rows]) => `${dryRun ? 'would remove' : 'removed'} ${rows} rows of fleet.${table}`,
        ),
      ],
    };
  });
  return command;
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}
