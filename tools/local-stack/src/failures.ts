import { EmbeddedDatabaseError } from '@gpu-observatory/embedded-database';

/** Something to tell the person at the terminal in words: what is wrong, and how it is mended or where to look. */
export class StackError extends Error {
  override name = 'StackError';
}

/** What to print of a failure: the words meant for a person, or everything we know where there are none. */
export function textOf(failure: unknown): string {
  if (failure instanceof StackError || failure instanceof EmbeddedDatabaseError) return failure.message;
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
}

/** The system's word for what went wrong (`EACCES`, `ECONNREFUSED`), or the message where there is none. */
export function reasonOf(failure: unknown): string {
  const { code, message } = Object(failure) as { code?: unknown; message?: unknown };
  return String(code ?? message ?? failure);
}
