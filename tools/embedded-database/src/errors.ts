/** An error that the user can fix. The message contains the solution. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

/** Returns the error code (`EACCES`, `ENOSPC`), or the message of an error without one. */
export function reasonOf(error: unknown): string {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return String(code ?? message ?? error);
}
