import { StackError } from '../failures.ts';
import { text } from 'node:stream/consumers';
import { ChildProgram, type ChildOptions } from './child-program.ts';

/**
 * Runs a program to its end.
 *
 * @returns what it wrote to standard output
 * @throws {StackError} with the end of its log when it failed; the signal's reason when that came first
 */
export async function runToEnd(
  options: Omit<ChildOptions, 'stdin' | 'stdout'>,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const child = new ChildProgram({ ...options, stdout: 'pipe' });
  const stop = () => void child.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [output, ending] = await Promise.all([text(child.stdout), child.ended]);
    signal.throwIfAborted();
    if (ending === 'code 0') return output;
    const command = [options.name, ...(options.args ?? [])].join(' ');
    throw new StackError(`${command} ended with ${ending}:\n${child.logTail()}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
