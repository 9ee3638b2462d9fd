import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy of a database that can be cut, as if the server was killed, or frozen, as if packets were dropped. */
export interface DatabaseProxy {
  /** URL of the database through this proxy. */
  url: string;
  /** Closes all connections, and new ones immediately. */
  cut(): void;
  /** Accepts connections and data, and forwards nothing. */
  freeze(): void;
  /** Closes existing connections and forwards new ones. */
  restore(): void;
  stop(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (state === 'cut') client.destroy();
    if (state !== 'open') return;
    const upstream = connect(Number(target.port), target.hostname);
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => {
      state = 'cut';
      endAll();
    },
    freeze: () => {
      state = 'frozen';
      for (const socket of open) socket.unpipe().pause();
    },
    restore: () => {
      state = 'open';
      endAll();
    },
    stop: async () => {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
