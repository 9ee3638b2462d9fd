import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a database that can be cut, as when the server is killed, or frozen, as when packets are dropped. */
export interface DatabaseProxy {
  /** The same database by way of this proxy. */
  url: string;
  /** Ends every connection, and each new one at once. */
  cut(): void;
  /** Takes connections and bytes, and hands nothing on. */
  freeze(): void;
  /** From now on new connections work; those from before are ended. */
  mend(): void;
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
    mend: () => {
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
