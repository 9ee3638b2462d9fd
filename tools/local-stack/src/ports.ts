import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf, StackError } from './failures.ts';

/** Where everything listens, on 127.0.0.1, counted from the base that `--port-base` gives. */
const offsets = {
  examplePage: 0,
  fleet: 1,
  account: 2,
  website: 3,
  identityProvider: 4,
  database: 5,
  fleetManagement: 11,
  accountManagement: 12,
  websiteManagement: 13,
  accountInternal: 14,
};

export type Ports = Record<keyof typeof offsets, number>;

const owners: Record<keyof Ports, string> = {
  examplePage: 'the example page',
  fleet: 'fleet-api',
  account: 'account-service',
  website: 'website-api',
  identityProvider: 'the identity provider',
  database: 'PostgreSQL',
  fleetManagement: 'management of fleet-api',
  accountManagement: 'management of account-service',
  websiteManagement: 'management of website-api',
  accountInternal: 'internal port of account-service',
};

export const DEFAULT_PORT_BASE = 3000;
export const LARGEST_PORT_BASE = 65_535 - Math.max(...Object.values(offsets));

export function portsFrom(base: number): Ports {
  return Object.fromEntries(Object.entries(offsets).map(([name, offset]) => [name, base + offset])) as Ports;
}

/** The address a browser uses: by this name alone it takes cookies over plain http as if it were https. */
export function localUrl(port: number): string {
  return `http://localhost:${port}`;
}

/**
 * @param patienceMs how long to wait for them to become free
 * @throws {StackError} naming every port of these that is taken
 */
export async function refuseTakenPorts(ports: Partial<Ports>, patienceMs = 0): Promise<void> {
  const names = Object.keys(ports) as (keyof Ports)[];
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const reasons = await Promise.all(names.map((name) => whyUnusable(ports[name] as number)));
    const unusable = names.filter((_, index) => reasons[index] !== undefined);
    if (unusable.length === 0) return;
    if (Date.now() >= deadline) throw refusal(ports, unusable, reasons);
    await sleep(200);
  }
}

function refusal(
  ports: Partial<Ports>,
  unusable: (keyof Ports)[],
  reasons: (string | undefined)[],
): StackError {
  const list = unusable.map((name) => `${ports[name]} (${owners[name]})`).join(', ');
  if (reasons.includes('EACCES')) {
    return new StackError(`Ports below 1024 are not yours to use (${list}): choose a higher --port-base.`);
  }
  const [port, are] = unusable.length === 1 ? ['Port', 'is'] : ['Ports', 'are'];
  return new StackError(
    `${port} ${list} ${are} taken: stop what listens there, or start with another --port-base, such as ${suggestion(ports)}.`,
  );
}

function suggestion({ examplePage = DEFAULT_PORT_BASE }: Partial<Ports>): number {
  return examplePage + 1_000 <= LARGEST_PORT_BASE ? examplePage + 1_000 : DEFAULT_PORT_BASE;
}

/** `localhost` may mean ::1 first, so whoever listens there alone would get our visitors. */
async function whyUnusable(port: number): Promise<string | undefined> {
  const [v4, v6] = await Promise.all([tryToListen('127.0.0.1', port), tryToListen('::1', port)]);
  return v4 ?? (v6 === 'EADDRINUSE' ? v6 : undefined);
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(reasonOf(error)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
