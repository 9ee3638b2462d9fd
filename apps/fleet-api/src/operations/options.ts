import { parsePositiveInteger } from '@gpu-observatory/domain-types';
import { InvalidArgumentError } from 'commander';

export const JSON_OPTION = ['--json', 'the result as JSON'] as const;
export const DRY_RUN_OPTION = ['--dry-run', 'only say what would be done'] as const;
export const LOCK_TIMEOUT_OPTION = [
  '--lock-timeout <seconds>',
  'how long to wait for a lock before giving up, 1 to 600',
  integerFrom(1, 600),
  5,
] as const;

/** What an option with an integer takes. */
export function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = text === '0' ? 0 : parsePositiveInteger(text);
    if (value === null || value < min || value > max) {
      throw new InvalidArgumentError(`It should be an integer from ${min} to ${max}.`);
    }
    return value;
  };
}

/** What an operation says at its end: one JSON document for programs, or lines for people. */
export function print({ json = false }: { json?: boolean }, document: object, lines: string[]): void {
  process.stdout.write(`${json ? JSON.stringify(document, null, 2) : lines.join('\n')}\n`);
}
