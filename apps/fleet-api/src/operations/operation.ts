import { parsePositiveInteger } from '@gpu-observatory/domain-types';
import { type Command, InvalidArgumentError } from 'commander';

/** Options of every operation. */
export interface OperationOptions {
  /** Maximum time to wait for a lock, in seconds. */
  lockTimeout: number;
  dryRun?: boolean;
  json?: boolean;
}

export function withOperationOptions(command: Command): Command {
  return command
    .option('--lock-timeout <seconds>', 'maximum time to wait for a lock, 1 to 600', integerFrom(1, 600), 5)
    .option('--dry-run', 'print what would be done, and change nothing')
    .option('--json', 'print the result as JSON');
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

/** Prints the result of an operation, as a JSON document or as lines of text. */
export function printResult({ json = false }: { json?: boolean }, document: object, lines: string[]): void {
  process.stdout.write(`${json ? JSON.stringify(document, null, 2) : lines.join('\n')}\n`);
}
