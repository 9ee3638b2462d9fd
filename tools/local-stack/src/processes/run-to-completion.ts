import { text } from 'node:stream/consumers';
import { writeLines } from '@gpu-observatory/fleet-simulator';
import { StackError } from '../errors.ts';
import { ChildProgram, type ChildOptions } from './child-program.ts';

/** A program exited with an error. The message contains the end of its log. */
export class ProgramError extends StackError {
  /** `code 1`, `SIGKILL`. */
  readonly ending: string;

  constructor(command: string, ending: string, logTail: string) {
    super(`${command} exited with ${ending}:\n${logTail}`);
    this.ending = ending;
  }
}

/**
 * Runs a program until it exits.
 *
 * @param options with the lines of its standard input, if it has one
 * @returns its standard output
 * @throws {ProgramError} when it exits with an error; the reason of `signal` when that fires first
 */
export async function runToCompletion(
  {
    input,
    ...options
  }: Omit<ChildOptions, 'stdin' | 'stdout'> & {
    input?: Iterable<string> | AsyncIterable<string> | undefined;
  },
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const child = new ChildProgram({ ...options, stdin: input ? 'pipe' : 'ignore', stdout: 'pipe' });
  const stop = () => void child.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [output, ending] = await Promise.all([
      text(child.stdout),
      child.ended,
      input && writeLines(input, child.stdin, signal),
    ]);
    signal.throwIfAborted();
    if (ending === 'code 0') return output;
    throw new ProgramError([options.name, ...(options.args ?? [])].join(' '), ending, child.logTail());
  } finally {
    signal.removeEventListener('abort', stop);
    await child.stop();
  }
}
