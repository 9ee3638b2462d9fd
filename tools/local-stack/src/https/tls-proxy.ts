import { once } from 'node:events';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer, type TLSSocket } from 'node:tls';

/**
 * Terminates TLS on a port of 127.0.0.1 and forwards the bytes to another one.
 *
 * @returns a function that closes every connection and frees the port
 */
export async function startTlsProxy(
  port: number,
  targetPort: number,
  certificate: { key: string; cert: string },
): Promise<() => Promise<void>> {
  const clients = new Set<TLSSocket>();
  const server = createServer(certificate, (client) => {
    clients.add(client);
    // An error or the end of one side closes both.
    pipeline(client, connect(targetPort, '127.0.0.1'), client, () => clients.delete(client));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const client of clients) client.destroy();
    await closed;
  };
}
