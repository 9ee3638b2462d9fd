import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import type { Command } from 'commander';
import { accountOperations } from '../../src/operations/account-operations.ts';

/** Runs one operations command as the command line would, and gives what it printed. */
export async function operate(environment: Record<string, string>, ...words: string[]): Promise<string> {
  let printed = '';
  const before = { ...process.env };
  // The terminal is the one thing replaced: what a command prints is what is tested.
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  Object.assign(process.env, environment);
  try {
    await throwing(accountOperations()).parseAsync(words, { from: 'user' });
  } finally {
    process.env = before;
    write.mockRestore();
  }
  return printed.trimEnd();
}

/** The same with a standard input; as a terminal's when `isTTY` says so. */
export async function operateWithInput(
  environment: Record<string, string>,
  input: string | { typed: string },
  ...words: string[]
): Promise<string> {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const text = typeof input === 'string' ? input : input.typed;
  const stream = Object.assign(Readable.from([text]), { isTTY: typeof input !== 'string' });
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => stream });
  try {
    return await operate(environment, ...words);
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
  }
}

/** Wrong words are an error of the test's, not the end of its process. */
function throwing(program: Command): Command {
  program.exitOverride().configureOutput({ writeErr: () => undefined });
  for (const command of program.commands) throwing(command as Command);
  return program;
}
