import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const STALL_TIMEOUT_MS = 15_000;
/** A process that was blocked does one check late, so it does not treat its own delay as a stalled client. */
const CHECKS = 30;

/**
 * Resets connections whose client reads nothing of a response for 15 s. A reset frees the operating system's send
 * buffer at once; after a regular close it would keep the bytes for minutes.
 *
 * @param onCut called for each connection
 */
export function cutStalledResponses(
  server: Server,
  { timeoutMs = STALL_TIMEOUT_MS, onCut }: { timeoutMs?: number | undefined; onCut: () => void },
): void {
  const connections = new Map<Socket, { sentBytes: number; checks: number }>();
  const follow = (socket: Socket) => {
    connections.set(socket, { sentBytes: 0, checks: 0 });
    socket.once('close', () => connections.delete(socket));
  };
  server.on('connection', follow).on('secureConnection', follow);
  const check = () => {
    for (const [socket, progress] of connections) {
      const sentBytes = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || sentBytes !== progress.sentBytes) {
        Object.assign(progress, { sentBytes, checks: 0 });
      } else if (++progress.checks >= CHECKS - 1) {
        onCut();
        // Node cannot reset a TLS connection.
        if (socket instanceof TLSSocket) socket.destroy();
        else socket.resetAndDestroy();
      }
    }
  };
  const timer = setInterval(check, timeoutMs / CHECKS).unref();
  server.once('close', () => clearInterval(timer));
}
