import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the system hands out by itself, for port 0 and for connections: it would give one to somebody else. */
const FIRST_PORT = 10_000;
const PORTS = 10_000;
/** Each process begins elsewhere: several look for ports at once, and use them a while later. */
const PORTS_OF_A_PROCESS = 100;

let given = 0;

/** A port of 127.0.0.1 that nobody listens on, never the same twice; for tests, where no fixed one is safe. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + ((process.pid * PORTS_OF_A_PROCESS + given++) % PORTS);
    if (await isFree(port)) return port;
    if (given > PORTS) throw new Error(`no port from ${FIRST_PORT} on is free`);
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
