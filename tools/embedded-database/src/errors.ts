/** Something the person who starts the server can mend; the message is one sentence that says how. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

/** The system's word for what went wrong (`EACCES`, `ENOSPC`), or the message where there is none. */
export function reasonOf(error: unknown): string {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return String(code ?? message ?? error);
}
