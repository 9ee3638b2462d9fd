import { listenError } from './listen-error.ts';

/** Below the ephemeral ports, which the system assigns for port 0 and for outgoing connections. */
const FIRST_PORT = 10_000;
const PORTS = 10_000;
/** Each process starts at another port, because several processes search at the same time. */
const PORTS_PER_PROCESS = 100;

let tried = 0;

/** Returns a free port of 127.0.0.1 for a test, never the same one twice in a process. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + ((process.pid * PORTS_PER_PROCESS + tried++) % PORTS);
    if ((await listenError('127.0.0.1', port)) === undefined) return port;
    if (tried > PORTS) throw new Error(`no port from ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} is free`);
  }
}
