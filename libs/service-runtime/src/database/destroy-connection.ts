import type { Client } from 'pg';

/**
 * Closes a connection without waiting for the server, which may be frozen or unreachable. The driver does not expose the
 * socket; its `end()` does the same while a statement runs.
 */
export function destroyConnection(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
