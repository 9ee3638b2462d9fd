import { type OwnerDatabase, withOwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { parsePositiveInteger } from '@gpu-observatory/domain-types';
import { type Command, InvalidArgumentError } from 'commander';

interface CommonOptions {
  /** Maximum time to wait for a lock, in seconds. */
  lockTimeout: number;
  dryRun?: boolean;
  json?: boolean;
}

/** The result of an operation, as a JSON document and as lines of text. */
export interface Report {
  document: object;
  lines: string[];
}

/**
 * Makes a command an operation of the schema owner, with the options of every operation.
 *
 * @param run changes nothing in a dry run; its report is printed
 */
export function operation<Options extends object>(
  command: Command,
  run: (owner: OwnerDatabase, options: Options & { dryRun: boolean }) => Promise<Report>,
): Command {
  return command
    .option('--lock-timeout <seconds>', 'maximum time to wait for a lock, 1 to 600', integerFrom(1, 600), 5)
    .option('--dry-run', 'print what would be done, and change nothing')
    .option('--json', 'print the result as JSON')
    .action(async (options: Options & CommonOptions) => {
      const { lockTimeout, dryRun = false, json = false } = options;
      const { document, lines } = await withOwnerDatabase(
        { schema: 'fleet', lockTimeoutSeconds: lockTimeout },
        (owner) => run(owner, { ...options, dryRun }),
      );
      const report = json ? JSON.stringify({ dry_run: dryRun, ...document }, null, 2) : lines.join('\n');
      process.stdout.write(`${report}\n`);
    });
}

/** Returns a parser of an option whose value is an integer from `min` to `max`. */
export function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = text === '0' ? 0 : parsePositiveInteger(text);
    if (value === null || value < min || value > max) {
      throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`);
    }
    return value;
  };
}
