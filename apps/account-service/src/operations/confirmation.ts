import { createInterface } from 'node:readline/promises';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import { commonOptions } from './output.ts';

const isInteractive = () => process.stdin.isTTY === true;

/** Returns whether `confirm` asks: at a terminal, without `--yes`. */
export const asksForConfirmation = () => isInteractive() && !commonOptions().yes;

/**
 * Asks for confirmation before a destructive change. Scripts pass `--yes`.
 *
 * @param consequence what the command will do, as a sentence without the full stop
 * @throws {OperationError} when the user declines, or standard input is no terminal
 */
export async function confirm(consequence: string): Promise<void> {
  if (commonOptions().yes) return;
  if (!isInteractive()) throw new OperationError(`${consequence}: repeat the command with --yes to confirm`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${consequence}. Continue? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new OperationError('canceled; nothing was changed');
  } finally {
    terminal.close();
  }
}
