import { text } from 'node:stream/consumers';
import { writeLines } from '@gpu-observatory/fleet-simulator';
import { StackError } from '../errors.ts';
import { ChildProgram, type ChildOptions } from './child-program.ts';

/** A program exited with an error. The message contains the end of its log. */
export class ProgramError extends StackError {
  /** `code 1`, `SIGKILL`. */
  readonly ending: string;
  readonly logFile: string;

  constructor(command: string, ending: string, { logFile, logTail }: { logFile: string; logTail: string }) {
    super(`${command} exited with ${ending}:\n${logTail}`);
    this.ending = ending;
    this.logFile = logFile;
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
      // A writer that waits for its next line does not see that the program has exited.
      input && Promise.race([child.ended, writeLines(input, child.stdin, signal)]),
    ]);
    signal.throwIfAborted();
    if (ending === 'code 0') return output;
    const command = [options.name, ...(options.args ?? [])].join(' ');
    throw new ProgramError(command, ending, { logFile: child.logFile, logTail: child.logTail() });
  } finally {
    signal.removeEventListener('abort', stop);
    await child.stop();
  }
}
