import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { accountOperations } from '../../src/operations/account-operations.ts';

/** Runs an operations command and returns its output. */
export async function runCommand(environment: Record<string, string>, ...args: string[]): Promise<string> {
  let printed = '';
  const before = { ...process.env };
  // Only the output stream is replaced.
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  Object.assign(process.env, environment);
  try {
    await throwing(accountOperations()).parseAsync(args, { from: 'user' });
  } finally {
    process.env = before;
    write.mockRestore();
  }
  return printed.trimEnd();
}

/** Runs a command with standard input, which is a terminal for `{ typed }`. */
export async function runCommandWithInput(
  environment: Record<string, string>,
  input: string | { typed: string },
  ...args: string[]
): Promise<string> {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const text = typeof input === 'string' ? input : input.typed;
  const stream = Object.assign(Readable.from([text]), { isTTY: typeof input !== 'string' });
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => stream });
  try {
    return await runCommand(environment, ...args);
  } finally {
    Object.defineProperty(process, 'stdin', stdin);
  }
}

/** Makes commander throw instead of ending the process. */
function throwing(program: Command): Command {
  program.exitOverride().configureOutput({ writeErr: () => undefined });
  for (const command of program.commands) throwing(command as Command);
  return program;
}
