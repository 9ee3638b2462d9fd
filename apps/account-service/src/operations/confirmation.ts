import { createInterface } from 'node:readline/promises';
import { OperationError } from '@gpu-observatory/service-runtime';

export const YES_OPTION = ['--yes', 'do it without asking'] as const;

/** Whether somebody sits at a terminal. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true;
}

/**
 * Asks before something is destroyed; a script says `--yes` instead.
 *
 * @param consequence what will be, as a sentence without its full stop
 * @throws {OperationError} when the answer is no, or nobody is there to ask
 */
export async function confirm(consequence: string, { yes = false }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw new OperationError(`${consequence}: repeat the command with --yes to do it`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${consequence}. Go on? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new OperationError('nothing was done');
  } finally {
    terminal.close();
  }
}
