import { setTimeout as sleep } from 'node:timers/promises';
import { listenError } from '@gpu-observatory/embedded-database';
import { StackError } from './errors.ts';

/** Ports on 127.0.0.1, relative to `--port-base`. */
const offsets = {
  console: 0,
  fleet: 1,
  account: 2,
  website: 3,
  identityProvider: 4,
  database: 5,
  consoleHttps: 6,
  fleetHttps: 7,
  accountHttps: 8,
  websiteHttps: 9,
  fleetManagement: 11,
  accountManagement: 12,
  websiteManagement: 13,
  accountInternal: 14,
};

export type Ports = Record<keyof typeof offsets, number>;

const portNames: Record<keyof Ports, string> = {
  console: 'the console',
  fleet: 'fleet-api',
  account: 'account-service',
  website: 'website-api',
  identityProvider: 'the identity provider',
  database: 'PostgreSQL',
  consoleHttps: 'the console with TLS',
  fleetHttps: 'fleet-api with TLS',
  accountHttps: 'account-service with TLS',
  websiteHttps: 'website-api with TLS',
  fleetManagement: 'fleet-api management',
  accountManagement: 'account-service management',
  websiteManagement: 'website-api management',
  accountInternal: 'account-service internal',
};

export const DEFAULT_PORT_BASE = 3000;
/** Ports of frontends in development that may sign users in: 5173 and 4173 are those of Vite. */
export const FRONTEND_PORTS = [DEFAULT_PORT_BASE, 5173, 4173];
/** Port at which an agent on this machine receives its sign-in (`/agents.md`). */
export const AGENT_FRONTEND_PORT = 4173;
export const LARGEST_PORT_BASE = 65_535 - Math.max(...Object.values(offsets));

export function portsFrom(base: number): Ports {
  return Object.fromEntries(Object.entries(offsets).map(([name, offset]) => [name, base + offset])) as Ports;
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
  const list = unusable.map((name) => `${ports[name]} (${portNames[name]})`).join(', ');
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
