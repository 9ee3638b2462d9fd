import { createServer } from 'node:net';
import { reasonOf } from './errors.ts';

/** Tries to listen on a TCP port. Returns the error code, such as EADDRINUSE; undefined if the port is free. */
export function listenError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(reasonOf(error)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
