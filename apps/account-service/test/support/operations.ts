import { jest } from '@jest/globals';
import { accountOperations } from '../../src/operations/account-operations.ts';

/** Runs one operations command as the command line would, and gives what it printed. */
export async function operate(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const lines: string[] = [];
  const before = { ...process.env };
  // The terminal is the one thing replaced: what a command prints is what is tested.
  const log = jest.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
  const write = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => lines.push(String(text)) > 0);
  Object.assign(process.env, environment);
  try {
    await accountOperations().parseAsync(words, { from: 'user' });
  } finally {
    process.env = before;
    log.mockRestore();
    write.mockRestore();
  }
  return lines.join('\n').trimEnd();
}
