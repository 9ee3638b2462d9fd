import type { Client } from 'pg';

/**
 * Ends a connection by force. The polite way waits for a server that may be frozen or unreachable. The driver has no
 * public way to the socket; `end()` itself does this while a statement runs.
 */
export function destroyConnection(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
