import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceKeys, services } from '@gpu-observatory/local-stack';
import { expectWithin } from '../run-checks.ts';
import { describeOutcomes, SteadyLoad } from '../steady-load.ts';
import { type Check, bearer, requestAlerts } from './fleet.ts';

const REVOCATION_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 15_000;

/** A public path of each service that does not depend on the state of its process. */
const PUBLIC_PATHS = {
  fleet: '/openapi.json',
  account: '/api/v1/auth/methods',
  website: '/api/site',
};

/** Returns the name of the process that responded. */
const servedBy = (response: Response) => response.headers.get('x-served-by') ?? '';

export const bothReplicasRespond: Check = {
  claim: 'each service responds over TLS from both of its processes',
  run: async ({ request }) => {
    const replicas: string[] = [];
    for (const service of serviceKeys) {
      const servers = new Set<string>();
      for (let sent = 0; sent < 20; sent += 1) {
        const response = await request(service, PUBLIC_PATHS[service]);
        await response.text();
        assert(response.status === 200, `${services[service]} returned ${response.status}`);
        servers.add(servedBy(response));
      }
      assert(servers.size === 2, `only ${[...servers].join(', ')} responded`);
      replicas.push(...servers);
    }
    return replicas.sort().join(', ');
  },
};

export const signOutReachesAll: Check = {
  claim: `all processes reject the tokens of a signed-out session within ${REVOCATION_TIMEOUT_MS / 1000} s`,
  run: async ({ request, signIn, replicas }) => {
    const tokens = await signIn();
    const verifiers = replicas.filter(({ service }) => service !== 'website');
    const statusOf = async ({ port, service }: (typeof verifiers)[number]) => {
      const path = service === 'fleet' ? '/api/v1/alerts/?page_size=1' : '/api/v1/me';
      return (await fetch(`http://127.0.0.1:${port}${path}`, { headers: bearer(tokens) })).status;
    };
    for (const verifier of verifiers) {
      const status = await statusOf(verifier);
      assert(status === 200, `${verifier.name} returned ${status} before the sign-out`);
    }
    const response = await request('account', '/api/v1/auth/logout', {
      method: 'POST',
      headers: bearer(tokens),
    });
    assert(response.status === 204, `the sign-out returned ${response.status}`);
    const delays = await Promise.all(
      verifiers.map((verifier) =>
        expectWithin(
          REVOCATION_TIMEOUT_MS,
          async () => (await statusOf(verifier)) === 401,
          `${verifier.name} still accepts the token`,
        ),
      ),
    );
    return `${verifiers.length} processes, the last after ${Math.round(Math.max(...delays))} ms`;
  },
};

export const rollingRestart: Check = {
  claim: `a rolling restart under load fails no request, and each process exits with 0 within ${STOP_TIMEOUT_MS / 1000} s`,
  run: async (context) => {
    const { replicas, signal } = context;
    const send = async (service: 'account' | 'website', path: string) => {
      const response = await context.request(service, path, { headers: bearer(context.tokens) });
      await response.text();
      return response.ok ? '2xx' : String(response.status);
    };
    const load = [
      new SteadyLoad(3, () => requestAlerts(context)),
      new SteadyLoad(2, () => send('account', '/api/v1/me')),
      new SteadyLoad(2, () => send('website', '/api/site')),
    ];
    const stops: number[] = [];
    try {
      for (const replica of replicas) {
        const { ending, milliseconds } = await replica.stop();
        assert(ending === 'code 0', `${replica.name} exited with ${ending}`);
        assert(
          milliseconds <= STOP_TIMEOUT_MS,
          `${replica.name} took ${Math.round(milliseconds)} ms to exit`,
        );
        stops.push(milliseconds);
        await replica.start(signal);
        await sleep(1_000); // Until the load balancer has marked it as up.
      }
    } finally {
      await Promise.all(load.map((clients) => clients.stop()));
    }
    const failures = load.flatMap((clients) => clients.failures);
    assert(failures.length === 0, describeOutcomes(failures));
    const requests = load.flatMap(({ samples }) => samples).length;
    return `${replicas.length} restarts, ${requests} requests, 0 failed; the slowest exit took ${Math.round(Math.max(...stops))} ms`;
  },
};
