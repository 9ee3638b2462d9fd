import { EmbeddedDatabaseError } from '@gpu-observatory/embedded-database';

/** An error that the user can fix. The message contains the solution, or the log to read. */
export class StackError extends Error {
  override name = 'StackError';
}

/** Returns the message of an error that the user can fix, or the stack of an unexpected error. */
export function errorMessage(failure: unknown): string {
  if (failure instanceof StackError || failure instanceof EmbeddedDatabaseError) return failure.message;
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
}
