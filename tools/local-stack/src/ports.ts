import { setTimeout as sleep } from 'node:timers/promises';
import { listenError } from '@gpu-observatory/embedded-database';
import { StackError } from './errors.ts';

/** Ports on 127.0.0.1, relative to `--port-base`. */
const PARTS = {
  console: { offset: 0, name: 'the console' },
  fleet: { offset: 1, name: 'fleet-api' },
  account: { offset: 2, name: 'account-service' },
  website: { offset: 3, name: 'website-api' },
  identityProvider: { offset: 4, name: 'the identity provider' },
  database: { offset: 5, name: 'PostgreSQL' },
  consoleHttps: { offset: 6, name: 'the console with TLS' },
  fleetHttps: { offset: 7, name: 'fleet-api with TLS' },
  accountHttps: { offset: 8, name: 'account-service with TLS' },
  websiteHttps: { offset: 9, name: 'website-api with TLS' },
  fleetManagement: { offset: 11, name: 'fleet-api management' },
  accountManagement: { offset: 12, name: 'account-service management' },
  websiteManagement: { offset: 13, name: 'website-api management' },
  accountInternal: { offset: 14, name: 'account-service internal' },
};

export type Ports = Record<keyof typeof PARTS, number>;

export const DEFAULT_PORT_BASE = 3000;
/** Ports of frontends in development that may sign users in: 5173 and 4173 are those of Vite. */
export const FRONTEND_PORTS = [DEFAULT_PORT_BASE, 5173, 4173];
/** Port at which an agent on this machine receives its sign-in (`/agents.md`). */
export const AGENT_FRONTEND_PORT = 4173;
export const LARGEST_PORT_BASE = 65_535 - Math.max(...Object.values(PARTS).map(({ offset }) => offset));

export function portsFrom(base: number): Ports {
  return Object.fromEntries(
    Object.entries(PARTS).map(([part, { offset }]) => [part, base + offset]),
  ) as Ports;
}

/** Parts with a URL for browsers. `--https` adds a port with TLS to each. */
export const PUBLIC_PARTS = ['console', 'fleet', 'account', 'website'] as const;

/** Returns the URLs for browsers and clients. */
export function publicUrls(ports: Ports, https: boolean): Record<(typeof PUBLIC_PARTS)[number], string> {
  return Object.fromEntries(
    PUBLIC_PARTS.map((part) => [
      part,
      https ? `https://localhost:${ports[`${part}Https`]}` : localUrl(ports[part]),
    ]),
  ) as Record<(typeof PUBLIC_PARTS)[number], string>;
}

/** Returns the http URL for browsers. All but Safari accept `Secure` cookies over http from `localhost`. */
export function localUrl(port: number): string {
  return `http://localhost:${port}`;
}

/**
 * @param timeoutMs time to wait until the ports are free
 * @throws {StackError} with the ports that are in use
 */
export async function checkPortsAreFree(ports: Partial<Ports>, timeoutMs = 0): Promise<void> {
  const names = Object.keys(ports) as (keyof Ports)[];
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const errors = await Promise.all(names.map((name) => loopbackListenError(ports[name] as number)));
    const unusable = names.filter((_, index) => errors[index] !== undefined);
    if (unusable.length === 0) return;
    if (Date.now() >= deadline) throw portError(ports, unusable, errors);
    await sleep(200);
  }
}

function portError(
  ports: Partial<Ports>,
  unusable: (keyof Ports)[],
  errors: (string | undefined)[],
): StackError {
  const list = unusable.map((name) => `${ports[name]} (${PARTS[name].name})`).join(', ');
  if (errors.includes('EACCES')) {
    return new StackError(`No permission to use ports below 1024 (${list}): choose a higher --port-base.`);
  }
  const [port, are] = unusable.length === 1 ? ['Port', 'is'] : ['Ports', 'are'];
  return new StackError(
    `${port} ${list} ${are} in use: stop the other program, or choose another --port-base, such as ${suggestion(ports)}.`,
  );
}

function suggestion({ console: base = DEFAULT_PORT_BASE }: Partial<Ports>): number {
  return base + 1_000 <= LARGEST_PORT_BASE ? base + 1_000 : DEFAULT_PORT_BASE;
}

/** Checks ::1 too: `localhost` may resolve to it first, and a program that listens there would get the requests. */
async function loopbackListenError(port: number): Promise<string | undefined> {
  const [v4, v6] = await Promise.all([listenError('127.0.0.1', port), listenError('::1', port)]);
  return v4 ?? (v6 === 'EADDRINUSE' ? v6 : undefined);
}
